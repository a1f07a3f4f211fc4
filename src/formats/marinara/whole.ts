// Whether a book or an entry is whole, as Marinara itself writes it: what is not, its strict check may refuse, so it is
// written anew. Facts: Marinara Engine 2.3.3.

import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject } from '../../core/json.ts';
import type { Form } from './fields.ts';

type Check = (value: Json | undefined) => boolean;
type Checks = Readonly<Record<string, Check>>;

const text: Check = (value) => typeof value === 'string';
const texts: Check = (value) => isArray(value) && value.every(text);
const yesNo: Check = (value) => typeof value === 'boolean';
const amount: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const amountOrNone: Check = (value) => value === null || amount(value);
const bag: Check = (value) => isObject(value);
const LONGEST_NAME = 200;
const name: Check = (value) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_NAME;
const oneOf =
  (...values: readonly Json[]): Check =>
  (value) =>
    values.includes(value as Json);

const COMMON: Checks = {
  content: text,
  constant: yesNo,
  selective: yesNo,
  depth: amount,
  probability: amountOrNone,
  scanDepth: amountOrNone,
  matchWholeWords: yesNo,
  useRegex: yesNo,
  group: text,
  groupWeight: amountOrNone,
  preventRecursion: yesNo,
};

const ENTRIES: Readonly<Record<Form, Checks>> = {
  card: {
    ...COMMON,
    id: amount,
    name,
    comment: text,
    keys: texts,
    secondary_keys: texts,
    enabled: yesNo,
    insertion_order: amount,
    case_sensitive: yesNo,
    position: oneOf('before_char', 'after_char', 4, 7),
    role: oneOf(0, 1, 2, 'system', 'user', 'assistant'),
    selectiveLogic: text,
    extensions: bag,
  },
  native: {
    ...COMMON,
    name,
    keys: texts,
    secondaryKeys: texts,
    enabled: yesNo,
    order: amount,
    caseSensitive: yesNo,
    position: oneOf(0, 1, 2, 7),
    role: oneOf('system', 'user', 'assistant'),
    selectiveLogic: text,
  },
  compatible: {
    ...COMMON,
    comment: text,
    key: texts,
    keysecondary: texts,
    disable: yesNo,
    order: amount,
    caseSensitive: yesNo,
    position: oneOf(0, 1, 4, 7),
    role: oneOf(0, 1, 2),
    selectiveLogic: amount,
  },
};

const isWhole = (value: JsonObject, checks: Checks): boolean =>
  Object.entries(checks).every(([key, check]) => check(value[key]));

/** Whether an entry has all that Marinara gives to one of this form, each of its kind. */
export const isWholeEntry = (raw: JsonObject, form: Form): boolean => isWhole(raw, ENTRIES[form]);

const BOOK_IN_CARD: Checks = {
  name: text,
  description: text,
  scan_depth: amount,
  token_budget: amount,
  recursive_scanning: yesNo,
  extensions: bag,
};
const LOREBOOK: Checks = {
  name,
  description: text,
  scanDepth: amount,
  tokenBudget: amount,
  recursiveScanning: yesNo,
};

/** Whether a book's own fields are whole; `raw`: the book in a card, what is in a native file's envelope, a file. */
export function isWholeHead(raw: JsonObject, form: Form): boolean {
  if (form === 'card') return isWhole(raw, BOOK_IN_CARD);
  const { lorebook } = raw;
  return form === 'compatible' || (isObject(lorebook) && isWhole(lorebook, LOREBOOK));
}
