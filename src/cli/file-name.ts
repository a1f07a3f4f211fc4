// A name from a card as the name of a file. It has to be one that SillyTavern stores as it is, because the card's link
// is that name, and one that leads nowhere else and means nothing else on any system (decisions 19).

/** UTF-8 bytes of a name before its ending; a suffix like ` (2)` still fits behind it. */
const NAME_BYTES = 200;

// Control characters, lone surrogates, and what cannot be seen or turns text around: a name must be what it looks like.
const UNSEEN =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const FORBIDDEN = /[/\\?<>:*|"]/g;
/** Windows takes these for devices, also when something follows behind a dot. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])\s*(?:\.|$)/i;

/** Gives out a name for a file of one folder: of the stems the first of which something is left. */
export type FileNames = (stems: readonly string[], ending: string) => string;

/**
 * Names that no earlier one equals when case, accents and look-alike forms are folded: cleaned, cut to a length, with
 * a number behind a name that is taken.
 */
export function fileNames(): FileNames {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (stems, ending) => {
    const clean = stems.map(cleanStem).find((stem) => stem !== '') ?? 'Lorebook';
    const key = folded(clean + ending);
    let name = clean + ending;
    let count = counts.get(key) ?? 1;
    while (taken.has(folded(name))) name = `${clean} (${++count})${ending}`;
    counts.set(key, count);
    taken.add(folded(name));
    return name;
  };
}

function cleanStem(stem: string): string {
  const clean = trimmed(stem.replace(/\s+/gu, ' ').replace(UNSEEN, '').replace(FORBIDDEN, ''));
  const short = trimmed(cut(clean.replace(/ {2,}/g, ' '), NAME_BYTES));
  return DEVICE.test(short) ? '' : short;
}

const trimmed = (name: string): string => name.replace(/^[\s.]+/u, '').replace(/[\s.]+$/u, '');

/** The longest start of a text that has at most so many bytes; no character is cut in two. */
function cut(text: string, bytes: number): string {
  const encoder = new TextEncoder();
  let size = 0;
  let end = 0;
  for (const letter of text) {
    size += encoder.encode(letter).length;
    if (size > bytes) return text.slice(0, end);
    end += letter.length;
  }
  return text;
}

function folded(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase();
}
