// Text on its way to a terminal. What a card holds must not steer it: control characters and those that turn or hide
// text are shown as what they are, never sent.

import { indentedJson } from '../containers/card-json.ts';

const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu;

/** One line, whatever the text held. */
export function printable(text: string): string {
  return text.replace(UNSEEN, (letter) => {
    const code = letter.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${hex(code, 2)}` : `\\u{${hex(code, 1)}}`;
  });
}

/** JSON text in which the same characters are escapes; they can stand only inside strings, so it says the same. */
export function printableJson(value: unknown): string {
  return indentedJson(value, 2).replace(/[\u007f-\u009f\u2028\u2029]|(?![\u200c\u200d])\p{Cf}/gu, (letter) =>
    Array.from({ length: letter.length }, (_, at) => `\\u${hex(letter.charCodeAt(at), 4)}`).join(''),
  );
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

/** A number of things: “1 entry”, “2 entries”. */
export const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

/** Text with every run of white space as one space. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** One line of at most 40 characters. */
export function short(text: string): string {
  // Many times what will be shown, and not the megabytes that may stand behind it.
  const line = oneLine(text.slice(0, 1000));
  if (line.length <= LENGTH) return line;
  const letters = [...line.slice(0, 2 * LENGTH)];
  return letters.length > LENGTH ? `${letters.slice(0, LENGTH - 1).join('')}…` : line;
}

const LENGTH = 40;
