export interface Installed {
  dir: string;
  version: string;
}

export interface StartOptions {
  dir: string;
  dataRoot?: string | undefined;
  extensionDir?: string | undefined;
  extensionName?: string | undefined;
  port?: number | undefined;
  samples?: string[] | undefined;
  config?: Record<string, unknown> | undefined;
  settings?: Record<string, unknown> | undefined;
  welcome?: boolean | undefined;
  timeout?: number | undefined;
}

export interface RunningSillyTavern {
  address: string;
  port: number;
  dataRoot: string;
  userDir: string;
  pid: number;
  samples: string[];
  log(): string;
  exited: Promise<string>;
  stop(options?: { remove?: boolean }): Promise<void>;
}

export function pinnedVersions(): Record<string, string>;
export function defaultVersion(): string;
export function installSillyTavern(
  version?: string,
  options?: { say?: (line: string) => void },
): Promise<Installed>;
export function freePort(): Promise<number>;
export function startSillyTavern(options: StartOptions): Promise<RunningSillyTavern>;
