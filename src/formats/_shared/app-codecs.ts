// Values as other apps of SillyTavern's family write them (Marinara Engine 2.3.3, Lumiverse 1.1.0): words where it has
// numbers, no "as the reader is set".

import type { Codec } from './codecs.ts';
import { flag } from './codecs.ts';

const quiet = (): void => undefined;

/** Any value of a choice, read from words or numbers without a remark and written as the app's word. */
export function inWords<T>(codec: Codec<T>): Codec<T> {
  return {
    ...codec,
    decode: (raw, mend) => codec.decode(raw, typeof raw === 'string' ? quiet : mend),
    encode: (value) => codec.say?.(value) ?? codec.encode(value),
  };
}

/** A choice that is written as a number although words are read as well. */
export function inNumbers<T>(codec: Codec<T>): Codec<T> {
  return { ...codec, decode: (raw, mend) => codec.decode(raw, typeof raw === 'string' ? quiet : mend) };
}

/** True or false where SillyTavern may also inherit; null there is false here. */
export const caseFlag: Codec<boolean | null> = {
  decode: flag.decode,
  encode: (value) => value === true,
  same: (a, b) => (a === true) === (b === true),
};

/** A delayed recursion without levels. */
export const delayFlag: Codec<number> = {
  decode: (raw, mend) => {
    const value = typeof raw === 'number' ? raw !== 0 : flag.decode(raw, mend);
    return value === undefined ? undefined : value ? 1 : 0;
  },
  encode: (value) => value > 0,
  same: (a, b) => a > 0 === b > 0,
};
