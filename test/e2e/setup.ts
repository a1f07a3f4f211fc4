import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from '../../scripts/build.mjs';
import { installSillyTavern } from '../../scripts/sillytavern.mjs';

/** The tests run what users get: dist/, built afresh from the sources, in a SillyTavern that is there before any timeout runs. */
export default async function setup(): Promise<void> {
  const root = resolve(import.meta.dirname, '../..');
  if (existsSync(resolve(root, 'src/index.ts')) && existsSync(resolve(root, 'src/cli.ts'))) await build();
  await installSillyTavern(undefined, { say: (line) => console.log(line) });
}
