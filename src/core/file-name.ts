// A name out of a card as the name of a file: what is seen is all there is, and it is not another's in disguise
// (decisions 19).

/** UTF-8 bytes that a name may have before a suffix; SillyTavern cuts `<name>.json` at 255. */
const NAME_BYTES = 200;

// What cannot be seen, or turns text around: control characters, lone surrogates (they are no UTF-8), soft
// hyphen, bidi marks and isolates, zero-width characters, line separators, invisible operators, interlinear
// marks, tags, and the blank letters of Hangul.
const UNSEEN =
  /[\p{Cc}\p{Cs}\u00AD\u061C\u115F\u1160\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

/**
 * A name as we are willing to write it: unseen characters gone, no spaces and dots around it, not too long.
 *
 * @param wanted any text, e.g. the name inside a card
 * @returns the name, possibly empty
 */
export function cleanName(wanted: string): string {
  return trimmed(
    limitBytes(trimmed(wanted.replace(/\s+/gu, ' ').replace(UNSEEN, '').replace(/ {2,}/g, ' ')), NAME_BYTES),
  );
}

function trimmed(name: string): string {
  return name.replace(/^[\s.]+/u, '').replace(/[\s.]+$/u, '');
}

/** The longest start of a text that has at most so many bytes of UTF-8; no character is cut in two. */
export function limitBytes(text: string, bytes: number): string {
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += utf8Length(character);
    if (used > bytes) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

function utf8Length(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}

/**
 * A name for comparing: case, accents and look-alike forms are folded. SillyTavern's dialogs fold case and
 * accents (public/scripts/utils.js, compareIgnoreCaseAndAccents), file systems fold case or composition; this
 * folds at least what any of them does.
 */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE00-\uFE0F\uFE20-\uFE2F]/gu, '')
    .toUpperCase()
    .toLowerCase();
}

/**
 * A name that no existing one equals when folded: the wanted one, else `Name (2)`, `Name (3)` ...
 *
 * @param wanted a cleaned name
 * @param existing all names that are taken
 */
export function freeName(wanted: string, existing: Iterable<string>): string {
  const taken = new Set(Array.from(existing, foldName));
  if (!taken.has(foldName(wanted))) return wanted;
  const numbered = /^(.*\S)\s*\((\d{1,6})\)$/su.exec(wanted);
  const base = numbered?.[1] ?? wanted;
  for (let number = Number(numbered?.[2] ?? 1) + 1; ; number++) {
    const name = `${base} (${number})`;
    if (!taken.has(foldName(name))) return name;
  }
}

// Forbidden on some system, or by SillyTavern (the npm package sanitize-filename, 1.13 to 1.19).
const FORBIDDEN = /[/\\?<>:*|"]/g;
/** Windows takes these for devices, also when something follows behind a dot. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])\s*(?:\.|$)/i;

/**
 * A name that every system takes for a file, and that SillyTavern stores as it is.
 *
 * @returns the name without an ending, or "" when nothing is left of it
 */
export function fileStemOf(wanted: string): string {
  const name = cleanName(wanted.replace(FORBIDDEN, '')).replace(/ {2,}/g, ' ');
  return DEVICE.test(name) ? '' : name;
}
