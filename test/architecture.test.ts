// The house rules that a compiler does not know (design.md): imports point one way, the core runs without a page,
// files are small and named after things of the field, and no text from a card ever becomes markup.

import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = new URL('../src/', import.meta.url);
const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.tsx?$/.test(path))
  .sort();
const textOf = (file: string): string => readFileSync(new URL(file, SRC), 'utf8');

type Layer = 'core' | 'containers' | 'formats' | 'convert' | 'host' | 'features' | 'cli' | 'index';

/** What each layer may import, besides packages. */
const MAY_IMPORT: Readonly<Record<Layer, readonly Layer[]>> = {
  core: ['core'],
  containers: ['core', 'containers'],
  formats: ['core', 'formats'],
  convert: ['core', 'formats', 'containers', 'convert'],
  host: ['core', 'host'],
  features: ['core', 'formats', 'containers', 'convert', 'host', 'features'],
  cli: ['core', 'formats', 'containers', 'convert', 'cli'],
  index: ['core', 'formats', 'containers', 'convert', 'host', 'features'],
};

/** Packages that a layer may use; a layer that is not named may use none. */
const MAY_USE: Partial<Readonly<Record<Layer, readonly RegExp[]>>> = {
  containers: [/^fflate$/],
  host: [/^zod/],
  features: [/^zod/, /^preact/],
  cli: [/^zod/, /^node:/],
  index: [/^preact/],
};

function layerOf(file: string): Layer {
  const [first = '', second] = file.split('/');
  // What a file says of itself: more of what converting is made of, in a folder of its own.
  if (first === 'inspection') return 'convert';
  if (second !== undefined) return first as Layer;
  return first === 'index.ts' ? 'index' : first === 'cli.ts' ? 'cli' : 'convert';
}

function importsOf(text: string): string[] {
  const code = withoutComments(text);
  const found = code.matchAll(/(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/g);
  const bare = code.matchAll(/(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g);
  const dynamic = code.matchAll(/\bimport\s*\(\s*['"]([^'"]+)['"]/g);
  return [...found, ...bare, ...dynamic].map((match) => match[1] ?? '');
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
}

/** What is wrong with a file's imports. */
function importFaults(file: string, text: string): string[] {
  const layer = layerOf(file);
  return importsOf(text).flatMap((target) => {
    if (!target.startsWith('.')) {
      const allowed = MAY_USE[layer]?.some((each) => each.test(target)) ?? false;
      return allowed ? [] : [`${file} uses the package ${target}`];
    }
    const path = posix.join(posix.dirname(file), target);
    return MAY_IMPORT[layer].includes(layerOf(path)) ? [] : [`${file} imports ${path}`];
  });
}

/** What one app's folder takes from another's: each dialect stands in one place. */
function formatFaults(file: string, text: string): string[] {
  const [layer, app, inner] = file.split('/');
  if (layer !== 'formats' || inner === undefined) return [];
  return importsOf(text)
    .filter((target) => target.startsWith('.'))
    .map((target) => posix.join(posix.dirname(file), target))
    .filter((path) => path.startsWith('formats/') && ![app, '_shared'].includes(path.split('/')[1]))
    .map((path) => `${file} imports ${path}`);
}

const PAGE = /\b(document|window|navigator|localStorage|sessionStorage|indexedDB|HTMLElement)\b/;
const MARKUP = /\b(innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML)\b|\bdocument\.write/;
const ANY = /[:<,|&(=]\s*any\b(?!\s*[-.'])|\bas any\b|\bany\[\]/;
const VAGUE = /(^|[/.-])(utils?|helpers?|managers?|misc|common|stuff)(?=[/.-]|$)/i;
const RUNS_ANYWHERE: readonly Layer[] = ['core', 'formats', 'containers', 'convert'];

describe('the checks see what they are for', () => {
  it.each([
    ['core/x.ts', "import { a } from '../formats/y.ts';"],
    ['core/x.ts', "import type { a } from '../host/y.ts';"],
    ['core/x.ts', "export { a } from '../containers/y.ts';"],
    ['formats/risu/x.ts', "import {\n  a,\n  b,\n} from '../../containers/y.ts';"],
    ['containers/x.ts', "import { a } from '../formats/y.ts';"],
    ['convert.ts', "import { a } from './features/y.ts';"],
    ['host/x.ts', "import { a } from '../features/y.ts';"],
    ['cli/x.ts', "const a = await import('../host/y.ts');"],
    ['features/x/y.ts', "import { a } from '../../cli/z.ts';"],
    ['core/x.ts', "import 'zod';"],
    ['formats/_shared/x.ts', "import { readFileSync } from 'node:fs';"],
  ])('%s: %s', (file, text) => {
    expect(importFaults(file, text)).toHaveLength(1);
  });
  it('and nothing else', () => {
    expect(
      importFaults('core/x.ts', "// import { a } from '../host/y.ts';\nimport { b } from './z.ts';"),
    ).toEqual([]);
    expect(importFaults('convert.ts', "import { a } from './formats/registry.ts';")).toEqual([]);
    expect(formatFaults('formats/risu/x.ts', "import { a } from '../_shared/y.ts';")).toEqual([]);
    expect(formatFaults('formats/risu/x.ts', "import { a } from '../agnai/y.ts';")).toHaveLength(1);
    expect(formatFaults('formats/_shared/x.ts', "import { a } from '../agnai/y.ts';")).toHaveLength(1);
  });
  it.each([
    'const a: any = 1;',
    'f<any>()',
    'x as any',
    'const a: any[] = [];',
    'Record<string, any>',
    '(a: string | any) => 1',
  ])('%s is any', (text) => {
    expect(text).toMatch(ANY);
  });
  it.each(["'any'", '// any file', 'const many = 1;', "type A = 'absent' | 'any';"])('%s is not', (text) => {
    expect(withoutComments(text)).not.toMatch(ANY);
  });
  it.each(['core/utils.ts', 'host/dom-helpers.ts', 'features/book-manager.ts', 'core/misc/x.ts'])(
    '%s is a vague name',
    (file) => {
      expect(file).toMatch(VAGUE);
    },
  );
});

describe('src', () => {
  it('is all here', () => {
    expect(FILES.length).toBeGreaterThan(50);
    expect(new Set(FILES.map(layerOf))).toEqual(new Set(Object.keys(MAY_IMPORT)));
  });
  it('imports point one way: core <- formats, containers <- convert <- features -> host; and cli', () => {
    expect(FILES.flatMap((file) => importFaults(file, textOf(file)))).toEqual([]);
  });
  it("an app's dialect takes from itself and from what is shared, never from another app's", () => {
    expect(FILES.flatMap((file) => formatFaults(file, textOf(file)))).toEqual([]);
  });
  it('core, formats, containers and convert know no page', () => {
    const anywhere = FILES.filter((file) => RUNS_ANYWHERE.includes(layerOf(file)));
    expect(anywhere.filter((file) => PAGE.test(withoutComments(textOf(file))))).toEqual([]);
  });
  it('no file is longer than 250 lines', () => {
    const lines = (file: string): number => textOf(file).trimEnd().split('\n').length;
    expect(FILES.filter((file) => lines(file) > 250).map((file) => `${file}: ${lines(file)}`)).toEqual([]);
  });
  it('no file is called utils, helpers, manager or misc', () => {
    expect(FILES.filter((file) => VAGUE.test(file))).toEqual([]);
  });
  it('no text becomes markup', () => {
    expect(FILES.filter((file) => MARKUP.test(textOf(file)))).toEqual([]);
  });
  it('nothing is of type any', () => {
    expect(FILES.filter((file) => ANY.test(withoutComments(textOf(file))))).toEqual([]);
  });
});
