// Values of a field: what a raw JSON value means and how a meaning is written. Null always means "unset".

import type { Json } from '../../core/json.ts';
import { isArray, sameJson } from '../../core/json.ts';

/** Tells that a value was mended; the engine adds the field, the entry and both values. */
export type Mend = (reason: string) => void;

/** One kind of value. */
export interface Codec<T> {
  /** What a raw value means; undefined when it is unset or of no use (the codec has then called `mend`). */
  readonly decode: (raw: Json, mend: Mend) => T | undefined;
  readonly encode: (value: T) => Json;
  /** The value as apps write it that use words where SillyTavern has numbers. */
  readonly say?: (value: T) => string;
  readonly same: (a: T, b: T) => boolean;
}

const identical = <T>(a: T, b: T): boolean => Object.is(a, b);

/** A plain true or false. 0, 1 and their words are mended. */
export const flag: Codec<boolean> = {
  decode: (raw, mend) => (typeof raw === 'boolean' ? raw : flagFromOther(raw, mend)),
  encode: (value) => value,
  same: identical,
};

/** The opposite of a flag: a world file's `disable` is an entry's `enabled`. */
export const inverted: Codec<boolean> = {
  decode: (raw, mend) => {
    const value = flag.decode(raw, mend);
    return value === undefined ? undefined : !value;
  },
  encode: (value) => !value,
  same: identical,
};

/** True, false, or null for "as the reader is set". */
export const flagOrInherit: Codec<boolean | null> = {
  decode: flag.decode,
  encode: (value) => value,
  same: identical,
};

function flagFromOther(raw: Json, mend: Mend): boolean | undefined {
  if (raw === null) return undefined;
  if (raw === 1 || raw === 'true' || raw === '1') {
    mend('is not true or false and was read as true');
    return true;
  }
  if (raw === 0 || raw === 'false' || raw === '0' || raw === '') {
    mend('is not true or false and was read as false');
    return false;
  }
  mend('is neither true nor false and was not used');
  return undefined;
}

function numberFrom(raw: Json, mend: Mend): number | undefined {
  if (raw === null) return undefined;
  if (typeof raw === 'number') {
    if (Number.isFinite(raw)) return raw;
    mend('is too large a number and was not used');
    return undefined;
  }
  if (typeof raw === 'string' && raw.trim() !== '' && Number.isFinite(Number(raw))) {
    mend('is a number written as text');
    return Number(raw);
  }
  if (raw === '') return undefined;
  mend('is not a number and was not used');
  return undefined;
}

/** A number within bounds; one outside is moved to the nearest bound. */
export function numberWithin(low: number, high: number): Codec<number> {
  return {
    decode: (raw, mend) => {
      const value = numberFrom(raw, mend);
      if (value === undefined || (value >= low && value <= high)) return value;
      const [bounded, word] = value < low ? [low, 'less'] : [high, 'more'];
      mend(`is ${word} than ${bounded} and was read as ${bounded}`);
      return bounded;
    },
    encode: (value) => value,
    same: identical,
  };
}

/** Any finite number. */
export const anyNumber: Codec<number> = numberWithin(-Number.MAX_VALUE, Number.MAX_VALUE);

/** A number, or null for "as the reader is set". */
export const numberOrInherit: Codec<number | null> = {
  decode: numberFrom,
  encode: (value) => value,
  same: identical,
};

/** The deepest scan that SillyTavern 1.19 has (MAX_SCAN_DEPTH). */
export const DEEPEST_SCAN = 1000;
// How far Marinara 2.3.3 searches where a depth says nothing it can use.
const UNSAID_SCAN = 10;

/**
 * A scan depth in Marinara's way (2.3.3): 0 is the whole chat, where in SillyTavern it is nothing at all. Nothing at all
 * cannot be said there, so it is not written.
 */
export const wholeChatDepth: Codec<number | null> = {
  decode: (raw, mend) => {
    const value = numberFrom(raw, mend);
    if (value !== undefined && value < 0) {
      mend(`is less than 0 and means ${UNSAID_SCAN} messages there; so it was read`);
      return UNSAID_SCAN;
    }
    if (value !== 0) return value;
    mend(`is the whole chat there and nothing in SillyTavern; it was read as ${DEEPEST_SCAN} messages`);
    return DEEPEST_SCAN;
  },
  encode: (value) => (value === 0 ? null : value),
  same: identical,
};

/** A count of messages in which 0 means the same as nothing (SillyTavern 1.19: sticky, cooldown, delay). */
export const messagesOrNone: Codec<number | null> = {
  decode: (raw, mend) => {
    const value = numberFrom(raw, mend);
    return value === 0 ? undefined : value;
  },
  encode: (value) => value,
  same: identical,
};

/** A count of an app's that knows none below 0 (Marinara 2.3.3, Lumiverse 1.1.0). */
export const countOrNone: Codec<number | null> = {
  ...messagesOrNone,
  decode: (raw, mend) => {
    const value = messagesOrNone.decode(raw, mend);
    if (value === undefined || value === null || value > 0) return value;
    mend('means none there, as everything below 0');
    return undefined;
  },
  encode: (value) => (value !== null && value < 0 ? null : value),
};

/** A count in Marinara's way (2.3.3): of replies that are generated, where SillyTavern counts messages. */
export const generationsOrNone: Codec<number | null> = {
  ...countOrNone,
  decode: (raw, mend) => {
    const value = countOrNone.decode(raw, mend);
    if (value !== undefined) mend('counts replies there and messages in SillyTavern; the number was kept');
    return value;
  },
};

/** A scan depth in Lumiverse's way (1.1.0): 0 and less are the whole chat. */
export const wholeChatFromZero: Codec<number | null> = {
  ...wholeChatDepth,
  decode: (raw, mend) => wholeChatDepth.decode(typeof raw === 'number' && raw < 0 ? 0 : raw, mend),
};

const anyLevel: Codec<number> = numberWithin(0, Number.MAX_VALUE);

/** The level of a delayed recursion; SillyTavern 1.19 takes true as level 1 and false as none. */
export const recursionLevel: Codec<number> = {
  decode: (raw, mend) => {
    if (typeof raw === 'boolean') return raw ? 1 : 0;
    return anyLevel.decode(raw, mend);
  },
  encode: (value) => value,
  same: identical,
};

/** A text; numbers and truth values become their words. */
export const text: Codec<string> = {
  decode: (raw, mend) => {
    if (typeof raw === 'string') return raw;
    if (raw === null) return undefined;
    if (typeof raw === 'number' || typeof raw === 'boolean') {
      mend('is not a text and was read as one');
      return String(raw);
    }
    mend('is not a text and was not used');
    return undefined;
  },
  encode: (value) => value,
  same: identical,
};

/** A list of texts. */
export const texts: Codec<readonly string[]> = {
  decode: (raw, mend) => {
    if (raw === null) return undefined;
    if (!isArray(raw)) {
      mend('is not a list and was not used');
      return undefined;
    }
    if (raw.every((item) => typeof item === 'string')) return raw as readonly string[];
    mend('held something else than texts, which was not used');
    return raw.filter((item): item is string => typeof item === 'string');
  },
  encode: (value) => value,
  same: (a, b) => sameJson(a, b),
};

/**
 * One of a closed set of words, read from numbers or words and written as a number; `spoken` are the words that
 * other apps write.
 */
export function choice<T extends string>(
  written: readonly (readonly [T, number])[],
  words: Readonly<Record<string, T>>,
  spoken: Readonly<Record<T, string>>,
): Codec<T> {
  const byNumber = new Map(written.map(([word, number]) => [number, word]));
  const numbers = new Map(written);
  return {
    decode: (raw, mend) => {
      if (raw === null || raw === '') return undefined;
      if (typeof raw === 'number') {
        const found = byNumber.get(raw);
        if (found === undefined) mend('is no known number and was not used');
        return found;
      }
      if (typeof raw === 'string') {
        const found = words[raw.toLowerCase()] ?? byNumber.get(Number(raw));
        if (found === undefined) mend('is no known word and was not used');
        else mend(`is a word where SillyTavern writes a number; it was read as ${found}`);
        return found;
      }
      mend('is of the wrong type and was not used');
      return undefined;
    },
    encode: (value) => numbers.get(value) ?? 0,
    say: (value) => spoken[value],
    same: identical,
  };
}
