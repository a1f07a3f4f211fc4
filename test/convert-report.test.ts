// What a report counts: a dropped automation id is SillyTavern's own affair, and no loss in another app.

import { describe, expect, it } from 'vitest';
import { convertFile } from '../src/convert-file.ts';
import { differenceWords } from '../src/features/export/difference-words.ts';
import { reportRows } from '../src/features/export/report-rows.ts';
import { openJson } from '../src/open-file.ts';
import { bookEntry, bookOf, cardWith } from './support/fixtures.ts';

const card = cardWith(
  bookOf(
    bookEntry({ id: 0, keys: ['lamp'], extensions: { automation_id: 'qr-7' } }),
    bookEntry({
      id: 1,
      keys: ['quay'],
      extensions: { character_filter: { names: ['Odo'], isExclude: true } },
    }),
  ),
);
const convert = (target: string, privateFields: 'keep' | 'drop') =>
  convertFile(openJson({ kind: 'json', json: card, copies: [{ json: card }], notes: [] }, 'card.json'), {
    target,
    privateFields,
  }).report;

describe('a dropped automation id', () => {
  it.each(['risu', 'agnai', 'marinara', 'lumiverse', 'rolecall'])('is a remark for %s', (target) => {
    const { entries, findings } = convert(target, 'drop');
    const dropped = findings.filter(({ path }) => path === 'automationId');
    expect(dropped).toMatchObject([{ code: 'lost', severity: 'info', before: 'qr-7' }]);
    expect(dropped[0]?.message).toBe('Only SillyTavern uses it, so it stays behind.');
    const losses = findings.filter(({ code, severity }) => code === 'lost' && severity !== 'info');
    expect(entries.lost).toBe(new Set(losses.map(({ entryId }) => entryId)).size);
    const [id] = dropped.map(({ entryId }) => entryId);
    expect(losses.map(({ entryId }) => entryId)).not.toContain(id);
  });

  it('is a loss for SillyTavern', () => {
    const { entries, findings } = convert('sillytavern', 'drop');
    expect(findings.find(({ path }) => path === 'automationId')).toMatchObject({ severity: 'error' });
    expect(entries.lost).toBe(2);
  });

  it('stands in the dialog with the entries that are exact', () => {
    const { entries: counts, findings, steps, settings } = convert('rolecall', 'drop');
    const [found] = findings.filter(({ path }) => path === 'automationId');
    if (found?.bookId == null || found.entryId === null) throw new Error('no finding');
    const { bookId, entryId } = found;
    const entry = { bookId, entryId, bookName: 'B', label: 'Lamp' };
    const shared = { files: [], bookNames: new Map(), steps, settings, counts };
    const [row] = reportRows({ ...shared, entries: [entry], findings: [found] }).entries;
    expect(row).toMatchObject({ fate: 'exact', findings: [found] });
    expect(differenceWords(found).why).toBe('Only SillyTavern uses it, so it stays behind.');
  });
});

it('RoleCall’s steps speak of the one file that is written', () => {
  const { steps, files } = convert('rolecall', 'drop');
  expect(files).toHaveLength(1);
  expect(steps.at(-1)).toBe(
    'The lorebook is inside that file; imported by itself as well, the entries would be there twice.',
  );
});
