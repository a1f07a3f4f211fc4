// Lorebooks that Marinara itself wrote, on their way back to it (see `own-twin.ts`).

import { isObject } from '../../core/json.ts';
import type { CanonicalLorebook } from '../../core/lorebook.ts';
import { familyOf } from '../_shared/book-family.ts';
import { CHARACTER_BOOK_TABLE, readingOf } from '../_shared/character-book.ts';
import { CHARACTER_BOOK } from '../_shared/character-book-table.ts';
import { readEntry } from '../_shared/entry-reader.ts';
import { type OwnDialect, type OwnTwin, ownTwinOf } from '../_shared/own-twin.ts';
import { KEYS_TOGETHER, PLACE_TOGETHER } from '../_shared/told-together.ts';
import { MARINARA_COMPATIBLE, readMarinaraCompatible } from './compatible-lorebook.ts';
import { marinaraEnvelope } from './envelope.ts';
import { type Form, MARINARA_TABLES } from './fields.ts';
import { MARINARA, readMarinaraLorebook } from './native-lorebook.ts';
import { READ_MARINARA } from './reading.ts';
import { isWholeEntry, isWholeHead } from './whole.ts';

const quiet = (): void => undefined;

// One value there says several of them: the regex switch of both lists, the switch that stands for a place, the chance.
const TOGETHER: OwnDialect['together'] = [
  KEYS_TOGETHER,
  ...PLACE_TOGETHER,
  { paths: ['probability.chance', 'probability.used'] },
  { paths: ['group.name', 'group.override', 'group.weight'] },
  { paths: ['title', 'memo'] },
];

/** How an entry of Marinara's own is written over, in each of its forms. */
export const OWN_MARINARA = (form: Form): OwnDialect => ({
  table: MARINARA_TABLES[form],
  options: READ_MARINARA,
  together: TOGETHER,
});

/** The book that Marinara wrote, in the form in which it is wanted; null when it wrote none in that form. */
export function marinaraTwin(lorebook: CanonicalLorebook, form: Form): OwnTwin | null {
  const { id, name, original } = lorebook;
  if (form === 'card') return cardTwin(lorebook);
  const raw = original[form === 'native' ? MARINARA : MARINARA_COMPATIBLE]?.raw;
  if (raw === undefined) return null;
  const read = form === 'native' ? readMarinaraLorebook : readMarinaraCompatible;
  const data = form === 'native' ? marinaraEnvelope(raw)?.data : raw;
  if (!isObject(data) || !isWholeHead(data, form)) return null;
  return ownTwinOf(data, read(raw, id, name), {
    isWhole: (item) => isWholeEntry(item, form),
    readAlone: (item, at) => readEntry(MARINARA_TABLES[form], item, at, READ_MARINARA, quiet),
  });
}

function cardTwin({ id, original }: CanonicalLorebook): OwnTwin | null {
  const escrow = original[CHARACTER_BOOK];
  if (escrow === undefined || !isObject(escrow.raw)) return null;
  const family = familyOf(escrow.raw);
  if (family.family !== 'marinara' || !isWholeHead(escrow.raw, 'card')) return null;
  return ownTwinOf(escrow.raw, readingOf(escrow, id), {
    isWhole: (item) => isWholeEntry(item, 'card'),
    readAlone: (item, at) => readEntry(CHARACTER_BOOK_TABLE, item, at, family, quiet),
  });
}

/** Numbers for entries of all books, of which none is that of one of Marinara's own. */
export function idsBeside(twins: readonly (OwnTwin | null)[]): () => number {
  const taken = new Set(
    twins.flatMap((twin) => (twin === null ? [] : [...twin.byId.values()].map(({ raw }) => raw['id']))),
  );
  let next = 0;
  return () => {
    while (taken.has(next)) next++;
    return next++;
  };
}
