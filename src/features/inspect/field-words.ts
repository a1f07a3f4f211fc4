// Fields of an entry as a comparison shows them: which belong together, and what they say in words.

import { writeKey } from '../../core/key.ts';
import type { LorebookEntry } from '../../core/lorebook.ts';
import { t } from '../../host/context.ts';
import { fieldName } from '../import/entry-words.ts';
import { characters, logicWords, probability, recursionWords, sources, timing } from './entry-fields.ts';
import { slotWords } from './prompt-words.ts';

/** A line of a comparison: paths that a person sees as one field. */
export interface FieldLine {
  readonly key: string;
  readonly name: string;
}

// What a person looks for first; every other field follows in the order of the table.
const FIRST: readonly string[] = ['title', 'content', 'keys', 'secondaryKeys'];

/** The lines for paths that differ. */
export function fieldLines(paths: readonly string[]): readonly FieldLine[] {
  const keys = [...new Set(paths.map(lineKey))];
  const rank = (key: string): number => (FIRST.includes(key) ? FIRST.indexOf(key) : FIRST.length);
  return keys.sort((a, b) => rank(a) - rank(b)).map((key) => ({ key, name: lineName(key) }));
}

const lineKey = (path: string): string => {
  const section = path.split('.')[0] ?? path;
  return section === 'selective' ? 'logic' : section;
};

const lineName = (key: string): string => (key === 'position' ? t`Lands in` : fieldName(key));

/** What a line says of an entry. */
export function lineWords(key: string, entry: LorebookEntry): string {
  switch (key) {
    case 'title':
      return entry.memo || entry.title;
    case 'content':
      return entry.content;
    case 'keys':
      return entry.keys.map(writeKey).join(', ');
    case 'secondaryKeys':
      return entry.secondaryKeys.map(writeKey).join(', ');
    case 'logic':
      return entry.selective ? logicWords(entry.logic) : t`switched off`;
    case 'order':
      return String(entry.order);
    case 'enabled':
      return entry.enabled ? t`on` : t`off`;
    case 'position':
      return placeWords(entry);
    default:
      return optionWords(key, entry);
  }
}

function optionWords(key: string, entry: LorebookEntry): string {
  const yesNo = (value: boolean): string => (value ? t`yes` : t`no`);
  switch (key) {
    case 'constant':
      return yesNo(entry.constant);
    case 'vectorized':
      return yesNo(entry.vectorized);
    case 'ignoreBudget':
      return entry.ignoreBudget ? t`ignored` : t`kept`;
    case 'probability':
      return probability(entry).value;
    case 'timing':
      return timing(entry)
        .map(({ name, value }) => `${name}: ${value}`)
        .join(', ');
    case 'group':
      return groupWords(entry);
    case 'recursion':
      return recursionWords(entry.recursion);
    case 'scan':
      return scanWords(entry);
    case 'sources':
      return sources(entry).join(', ');
    case 'triggers':
      return entry.triggers.join(', ');
    case 'characterFilter':
      return characters(entry).value;
    case 'automationId':
      return entry.automationId;
    default:
      return '';
  }
}

function placeWords({ position }: LorebookEntry): string {
  const { slot, depth, role, outlet } = position;
  const { words } = slotWords(slot, depth, role, outlet);
  return slot === 'outlet' ? t`Outlet ${words}` : words;
}

function groupWords({ group }: LorebookEntry): string {
  if (group.name === '') return '';
  const words = [group.name, t`weight ${group.weight}`];
  if (group.override) words.push(t`prioritized`);
  if (group.scoring !== null) words.push(group.scoring ? t`scoring on` : t`scoring off`);
  return words.join(', ');
}

function scanWords({ scan }: LorebookEntry): string {
  const words: string[] = [];
  if (scan.depth !== null) words.push(t`depth ${scan.depth}`);
  if (scan.caseSensitive !== null) words.push(scan.caseSensitive ? t`case counts` : t`case ignored`);
  if (scan.matchWholeWords !== null) words.push(scan.matchWholeWords ? t`whole words` : t`parts of words`);
  return words.length === 0 ? t`your settings` : words.join(', ');
}

/** The name of what only one copy carries: a field of ours, or a key that we do not model. */
export function hiddenName(path: string): string {
  if (path === 'title') return t`Name beside the comment`;
  const name = fieldName(path);
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}
