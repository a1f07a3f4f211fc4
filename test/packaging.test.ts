// What people install: SillyTavern clones the repository and runs no build, so everything that the manifest names
// must stand in it.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const json = (path: string): Record<string, unknown> => JSON.parse(readFileSync(join(root, path), 'utf8'));
const manifest = json('manifest.json');
const packageJson = json('package.json');

describe('the manifest', () => {
  it('names files that exist', () => {
    const locales = Object.values(manifest['i18n'] as Record<string, string>);
    for (const path of [manifest['js'], manifest['css'], ...locales]) {
      expect(existsSync(join(root, String(path))), String(path)).toBe(true);
    }
  });

  it('names hooks that the bundle exports', () => {
    const bundle = readFileSync(join(root, String(manifest['js'])), 'utf8');
    const exported = [...bundle.matchAll(/export\s*\{([^}]*)\}/g)].flatMap(([, names]) =>
      (names ?? '').split(',').map((name) =>
        name
          .trim()
          .split(/\s+as\s+/)
          .at(-1),
      ),
    );
    const hooks = Object.values(manifest['hooks'] as Record<string, string>);
    expect(hooks.length).toBeGreaterThan(0);
    for (const hook of hooks) expect(exported).toContain(hook);
  });

  it('has the version of the package and of the change log', () => {
    expect(manifest['version']).toBe(packageJson['version']);
    expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toContain(
      `## ${String(packageJson['version'])}`,
    );
  });

  it('asks for no newer SillyTavern than the oldest one that is tested', () => {
    const tested = json('test/sillytavern-1.16/package.json')['dependencies'] as Record<string, string>;
    expect(manifest['minimum_client_version']).toBe(tested['sillytavern']);
  });
});

describe('the bundle', () => {
  it('needs nothing but itself: no import of a package stands in it', () => {
    const files = readdirSync(join(root, 'dist')).filter((name) => name.endsWith('.js') && name !== 'cli.js');
    const named = files.flatMap((name) => {
      const text = readFileSync(join(root, 'dist', name), 'utf8');
      return [...text.matchAll(/\b(?:from|import)\s*\(?"([^"\s]+)"/g)].map(([, from]) => from ?? '');
    });
    // What stands between two strings of minified code is no import.
    const imports = named.filter((from) => /^[.@/]?[\w./@-]+$/.test(from));
    expect(imports.filter((from) => !files.includes(from.replace('./', '')))).toEqual([]);
    expect(named).not.toEqual([]);
  });

  it('runs from the command line with the version of the package', () => {
    const printed = execFileSync(process.execPath, [join(root, 'dist/cli.js'), '--version'], {
      encoding: 'utf8',
    });
    expect(printed.trim()).toBe(packageJson['version']);
  });
});

describe('the README', () => {
  it('has the tables that the sources give', () => {
    execFileSync(process.execPath, [join(root, 'scripts/make-tables.mjs'), '--check'], { encoding: 'utf8' });
  });

  it('names only pictures that exist', () => {
    const text = readFileSync(join(root, 'README.md'), 'utf8');
    for (const [, path] of text.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g))
      expect(existsSync(join(root, String(path))), path).toBe(true);
  });
});

describe('locale files', () => {
  it('translate texts that the sources hold, value for value', () => {
    const texts = new Set(sourceFiles().flatMap(translatedTexts));
    expect(texts.size).toBeGreaterThan(50);
    for (const path of Object.values(manifest['i18n'] as Record<string, string>)) {
      for (const [key, value] of Object.entries(json(path))) {
        expect(texts, `${path}: ${key}`).toContain(key);
        const places = (text: string): string[] => (text.match(/\$\{\d+\}/g) ?? []).sort();
        expect(places(String(value)), key).toEqual(places(key));
      }
    }
  });
});

describe('the German locale', () => {
  it('leaves no text untranslated', () => {
    const german = json('i18n/de-de.json');
    const texts = sourceFiles().flatMap(translatedTexts);
    expect(texts.filter((text) => !text.includes('\n') && german[text] === undefined)).toEqual([]);
  });
});

function sourceFiles(): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(root, 'src', name), 'utf8'));
}

// SillyTavern's key for t`a ${x} b` is "a ${0} b" (public/scripts/i18n.js).
function translatedTexts(source: string): string[] {
  const code = source.replace(/^\s*(\*|\/\/|\/\*).*$/gm, '');
  return [...code.matchAll(/\bt`((?:[^`$]|\$\{[^}]*\})*)`/g)].map(([, text]) => {
    let place = 0;
    return (text ?? '').replace(/\$\{[^}]*\}/g, () => `\${${place++}}`);
  });
}
