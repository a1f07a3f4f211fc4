// Names for the files of one folder.

import { fileStemOf, foldName } from '../core/file-name.ts';

/** Gives out a name for a file of one folder: of the stems the first of which something is left. */
export type FileNames = (stems: readonly string[], ending: string) => string;

/**
 * Names that no earlier one equals when case, accents and look-alike forms are folded: cleaned, cut to a length, with
 * a number behind a name that is taken. The card's link is such a name, so it is one that SillyTavern stores as it is.
 */
export function fileNames(): FileNames {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (stems, ending) => {
    const clean = stems.map(fileStemOf).find((stem) => stem !== '') ?? 'Lorebook';
    const key = foldName(clean + ending);
    let name = clean + ending;
    let count = counts.get(key) ?? 1;
    while (taken.has(foldName(name))) name = `${clean} (${++count})${ending}`;
    counts.set(key, count);
    taken.add(foldName(name));
    return name;
  };
}
