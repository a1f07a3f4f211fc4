// What becomes of each feature on its way to another app, and of a whole lorebook on its way from any app to any other:
// measured by the exporters and readers themselves, over one reference character.

import type { WrittenFile } from '../src/convert-file.ts';
import { convertFile } from '../src/convert-file.ts';
import type { Finding } from '../src/core/finding.ts';
import { isArray, isObject, type Json, type JsonObject } from '../src/core/json.ts';
import { appName } from '../src/formats/app-names.ts';
import { EXPORTERS } from '../src/formats/exporters.ts';
import { type OpenedFile, openJson } from '../src/open-file.ts';
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

/** One row an app that a file comes from, one column an app that it goes to; with a header. */
export function pairTable(): readonly (readonly string[])[] {
  const apps = ['sillytavern', ...EXPORTERS.map(({ id }) => id)];
  const rows = apps.map((from) => {
    const files = reference(from).files.map(({ name, bytes }: WrittenFile) => ({
      name,
      json: withoutStash(JSON.parse(new TextDecoder().decode(bytes)) as Json),
    }));
    return [appName(from), ...apps.map((to) => pairCell(files, to))];
  });
  return [['from \\ to', ...apps.map(appName)], ...rows];
}

function pairCell(files: readonly { readonly name: string; readonly json: Json }[], target: string): string {
  const sum = { total: 0, same: 0, near: 0 };
  for (const { name, json } of files) {
    const { entries } = convertFile(opened(json, name), {
      target,
      style: 'exact',
      privateFields: 'keep',
    }).report;
    sum.total += entries.total;
    sum.same += entries.exact + entries.stashed;
    sum.near += entries.approximated;
  }
  const lost = sum.total - sum.same - sum.near;
  return [
    `${sum.same} of ${sum.total}`,
    sum.near > 0 ? `${sum.near} near` : '',
    lost > 0 ? `${lost} not` : '',
  ]
    .filter(Boolean)
    .join(', ');
}

// What the app itself would hold: our own copy would bring everything back.
function withoutStash(json: Json): Json {
  if (isArray(json)) return json.map(withoutStash);
  if (!isObject(json)) return json;
  const kept = Object.entries(json).filter(([key]) => key !== 'loreferry');
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutStash(value ?? null)])) as JsonObject;
}
