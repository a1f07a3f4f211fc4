// The real SillyTavern's world info engine (its own world-info.js, from test/sillytavern), with the rest of the page
// replaced by stand-ins. Nothing of it is copied: the file is read, bundled in memory and run.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { JsonObject } from '../../src/core/json.ts';
import type { ScanSettings } from '../../src/core/resolved.ts';
import { expandNames } from '../../src/formats/sillytavern/resolve-macros.ts';

const ENGINE = fileURLToPath(
  new URL('../sillytavern/node_modules/sillytavern/public/scripts/world-info.js', import.meta.url),
);

/** Whether SillyTavern is installed in test/sillytavern. */
export const hasRealEngine = existsSync(ENGINE);

/** A world file, and how the user has it linked. */
export interface RealWorld {
  readonly name: string;
  readonly world: JsonObject;
  readonly origin: 'primary' | 'additional' | 'chat' | 'persona' | 'global';
}

/** What the real engine is run on. */
export interface RealScan {
  readonly worlds: readonly RealWorld[];
  readonly settings: ScanSettings;
  /** The oldest message first, speaker names in front when they are on. */
  readonly messages: readonly string[];
  readonly maxContext: number;
  readonly trigger: string;
  readonly names: { readonly char: string; readonly user: string };
  readonly avatar: string;
  readonly tagIds: readonly string[];
  /** Texts of the card by SillyTavern's names for them. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Runs the real engine and gives the contents of the entries that fired, in the order in which they did. */
export type RealEngine = (scan: RealScan) => Promise<readonly string[]>;

interface WorldInfoModule {
  readonly worldInfoCache: Map<string, unknown>;
  readonly setWorldInfoSettings: (settings: object, data: object) => void;
  readonly checkWorldInfo: (
    chat: readonly string[],
    maxContext: number,
    isDryRun: boolean,
    texts: object,
  ) => Promise<{ readonly allActivatedEntries: ReadonlySet<{ readonly content: string }> }>;
}

type Stand = (...parts: readonly unknown[]) => unknown;

// Whatever is asked of it, it answers with itself.
const anything: Stand = new Proxy(
  // A function that can be constructed too, as an arrow cannot.
  function standIn(): unknown {
    return anything;
  },
  {
    get: (_, key) =>
      key === Symbol.toPrimitive ? () => '' : key === Symbol.iterator ? () => [].values() : anything,
    construct: () => anything,
  },
);

/** Bundles the engine once; each call of the result is a scan of its own. */
export async function realEngine(): Promise<RealEngine> {
  const { outputFiles } = await build({
    entryPoints: [ENGINE],
    bundle: true,
    write: false,
    format: 'cjs',
    logLevel: 'error',
    plugins: [
      {
        name: 'stand-ins',
        setup: ({ onResolve, onLoad }) => {
          onResolve({ filter: /.*/ }, ({ kind, path }) =>
            kind === 'entry-point' ? null : { path, namespace: 'stand-in' },
          );
          onLoad({ filter: /.*/, namespace: 'stand-in' }, () => ({
            contents: 'module.exports = STAND_INS;',
          }));
        },
      },
    ],
  });
  const code = outputFiles[0]?.text ?? '';
  return (scan) => runOnce(code, scan);
}

async function runOnce(code: string, scan: RealScan): Promise<readonly string[]> {
  const named = (origin: RealWorld['origin']): readonly string[] =>
    scan.worlds.filter((world) => world.origin === origin).map(({ name }) => name);
  const { char, user } = scan.names;
  const own: Readonly<Record<string, unknown>> = {
    // Its options are no entries; the engine clones what it takes out.
    StructuredCloneMap: function PlainMap() {
      return new Map<string, unknown>();
    },
    extension_prompt_roles: { SYSTEM: 0, USER: 1, ASSISTANT: 2 },
    chat_metadata: { world_info: named('chat')[0] },
    power_user: { persona_description_lorebook: named('persona')[0] },
    characters: [{ name: char, avatar: scan.avatar, data: { extensions: { world: named('primary')[0] } } }],
    this_chid: 0,
    shouldWIAddPrompt: false,
    getRegexedString: (text: string) => text,
    getContext: () => ({ extensionPrompts: {}, tagMap: { [scan.avatar]: scan.tagIds } }),
    getTagKeyForEntity: () => scan.avatar,
    getCharaFilename: () => scan.avatar.replace(/\.[^.]+$/, ''),
    getTokenCountAsync: async (text: string) => Math.ceil(text.length / 3.35),
    getStringHash: (text: string) => text,
    escapeRegex: (text: string) => text.replace(/[/\-\\^$*+?.()|[\]{}]/g, '\\$&'),
    substituteParams: (text: string) => expandNames(text, char, user),
    eventSource: { emit: async () => undefined, on: () => undefined },
    debounce: (run: unknown) => run,
  };
  // As a prototype, since the bundle copies only what an object itself holds.
  const standIns: unknown = Object.create(new Proxy({}, { get: (_, key) => own[String(key)] ?? anything }));
  const quiet = { ...console, log: () => {}, debug: () => {}, warn: () => {}, error: () => {} };
  // The first entry with any weight wins a roll, and a chance of 0 fails.
  const math = Object.create(Math, { random: { value: () => 1e-9 } }) as Math;
  const holder: { exports: unknown } = { exports: {} };
  const load = new Function(
    'module',
    'exports',
    'STAND_INS',
    '$',
    'console',
    'Math',
    'toastr',
    'document',
    'window',
    code,
  );
  load(holder, holder.exports, standIns, anything, quiet, math, anything, anything, anything);
  const engine = holder.exports as WorldInfoModule;
  const { settings } = scan;
  const extraBooks = named('additional');
  engine.setWorldInfoSettings(
    {
      world_info: {
        globalSelect: named('global'),
        charLore: [{ name: scan.avatar.replace(/\.[^.]+$/, ''), extraBooks }],
      },
      world_info_depth: settings.depth,
      world_info_min_activations: settings.minActivations,
      world_info_min_activations_depth_max: settings.minActivationsDepthMax,
      world_info_budget: settings.budget,
      world_info_budget_cap: settings.budgetCap,
      world_info_include_names: settings.includeNames,
      world_info_recursive: settings.recursive,
      world_info_max_recursion_steps: settings.maxRecursionSteps,
      world_info_case_sensitive: settings.caseSensitive,
      world_info_match_whole_words: settings.matchWholeWords,
      world_info_use_group_scoring: settings.useGroupScoring,
      world_info_character_strategy: settings.characterStrategy,
    },
    { world_names: scan.worlds.map(({ name }) => name) },
  );
  for (const { name, world } of scan.worlds) engine.worldInfoCache.set(name, structuredClone(world));
  const chat = [...scan.messages].reverse();
  const found = await engine.checkWorldInfo(chat, scan.maxContext, false, {
    ...scan.texts,
    trigger: scan.trigger,
  });
  return [...found.allActivatedEntries].map(({ content }) => content);
}
