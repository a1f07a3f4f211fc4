// What becomes of each feature on its way to another app, and of a whole lorebook on its way from any app to any other:
// measured by the exporters and readers themselves, over one reference character and files of the apps.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertFile } from '../src/convert-file.ts';
import type { Finding } from '../src/core/finding.ts';
import type { Json } from '../src/core/json.ts';
import { appName } from '../src/formats/app-names.ts';
import { EXPORTERS } from '../src/formats/exporters.ts';
import type { EntryCounts } from '../src/measure.ts';
import { type OpenedFile, openJson } from '../src/open-file.ts';
import { filesIn, openAnyFile } from '../src/packed-file.ts';
import { FEATURES, referenceCard, referenceWorld } from './reference-features.ts';

const WORLD = 'Quay Notes';
const FATES = ['lost', 'approximated', 'stashed'] as const;
type Fate = (typeof FATES)[number] | 'exact';

const opened = (json: Json, name: string): OpenedFile =>
  openJson({ kind: 'json', json, copies: [{ json }], notes: [] }, name);

function reference(target: string) {
  return convertFile(opened(referenceCard(WORLD), 'Mara Lint.json'), {
    target,
    style: 'exact',
    privateFields: 'keep',
    form: 'json',
    worlds: [{ name: WORLD, world: referenceWorld() }],
  });
}

function worstByEntry(findings: readonly Finding[]): ReadonlyMap<string, Fate> {
  const worst = new Map<string, Fate>();
  for (const fate of [...FATES].reverse())
    for (const { code, entryId } of findings) if (code === fate && entryId !== null) worst.set(entryId, fate);
  return worst;
}

const SIGNS: Readonly<Record<Fate, string>> = {
  exact: 'yes',
  approximated: 'near',
  stashed: 'aside',
  lost: 'no',
};

/** One row a feature, one column an app; with a header. */
export function featureTable(): readonly (readonly string[])[] {
  const columns = EXPORTERS.map(({ id }) => worstByEntry(reference(id).report.findings));
  const rows = FEATURES.map(({ name }, uid) => [
    name,
    ...columns.map((fates) => SIGNS[fates.get(`w${uid}`) ?? 'exact']),
  ]);
  return [['in SillyTavern', ...EXPORTERS.map(({ id }) => appName(id))], ...rows];
}

// Files that the apps wrote themselves, with all that they can say; RoleCall's and NovelAI's are made up after their
// documents.
const SOURCES: readonly (readonly [app: string, file: string])[] = [
  ['risu', 'foreign/risu/risu-full-ilsa-marrow-v3.json'],
  ['agnai', 'foreign/agnai/agnai-full-odile-brandt-native.json'],
  ['marinara', 'foreign/marinara/marinara-full-vesna-holt-embedded-compatible.json'],
  ['lumiverse', 'foreign/lumiverse/lumiverse-full-sabine-orr.charx'],
  ['rolecall', 'dialects/rolecall-lorebook.json'],
  ['novelai', 'dialects/novelai-story.json'],
];

/**
 * One row a file of an app's, one column an app that it goes to; with a header.
 *
 * @param fixtures the folder of the test files
 */
export function pairTable(fixtures: string): readonly (readonly string[])[] {
  const targets = ['sillytavern', ...EXPORTERS.map(({ id }) => id)];
  const own = (target: string) => reference(target).report.entries;
  const rows = SOURCES.map(([app, file]) => {
    const [found] = filesIn(openAnyFile(readFileSync(join(fixtures, file)), file));
    if (found === undefined) throw new Error(`nothing in ${file}`);
    return [appName(app), ...targets.map((to) => pairCell(converted(found, to)))];
  });
  return [
    ['from \\ to', ...targets.map(appName)],
    [appName('sillytavern'), ...targets.map((to) => pairCell(own(to)))],
    ...rows,
  ];
}

const converted = (found: OpenedFile, target: string): EntryCounts =>
  convertFile(found, { target, style: 'exact', privateFields: 'keep' }).report.entries;

function pairCell({ total, exact, stashed, approximated, lost }: EntryCounts): string {
  // What is kept aside has no effect there, so it is not the same.
  return [
    `${exact} of ${total}`,
    stashed > 0 ? `${stashed} aside` : '',
    approximated > 0 ? `${approximated} near` : '',
    lost > 0 ? `${lost} not` : '',
  ]
    .filter(Boolean)
    .join(', ');
}
