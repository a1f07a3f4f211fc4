// Files for the person in front of the browser. Works on plain http too (decisions 34).

import { fileStemOf, freeName } from '../core/file-name.ts';
import { element } from './element.ts';

/** A file to be handed over. `name` is a proposal. */
export interface FileToSave {
  readonly name: string;
  readonly mime: string;
  readonly bytes: Uint8Array;
}

/** Time for a browser to begin with a download: after it the bytes are let go. */
const KEPT_MS = 60_000;
/** Browsers that ask whether a page may save several files forget the next one when it comes at once. */
const BETWEEN_MS = 300;

/** Saves files one after the other under names that systems take. */
export async function saveFiles(files: readonly FileToSave[]): Promise<void> {
  const names = fileNames(files.map(({ name }) => name));
  for (const [index, { mime, bytes }] of files.entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
    save(names[index] ?? 'file', mime, bytes);
  }
}

function save(name: string, mime: string, bytes: Uint8Array): void {
  const address = URL.createObjectURL(new Blob([bytes as BlobPart], { type: mime }));
  const link = element('a', { attributes: { href: address, download: name } });
  // Inside the open dialog: what is outside of a modal one cannot be pressed in every browser.
  const place = document.querySelector('dialog[open] .lf') ?? document.body;
  place.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}

/** The names under which files are saved: cleaned, each with its ending, no two alike on any system. */
export function fileNames(wanted: readonly string[]): readonly string[] {
  const names: string[] = [];
  const stems: string[] = [];
  for (const name of wanted) {
    const { stem, ending } = partsOf(name);
    const free = freeName(fileStemOf(stem) || 'character', stems);
    stems.push(free);
    names.push(free + ending);
  }
  return names;
}

// An ending is the last part, and a word of an app before it ("Name.marinara.json").
function partsOf(name: string): { readonly stem: string; readonly ending: string } {
  const found = /^(.*?)((?:\.[a-z]{2,12})?\.[a-z0-9]{2,5})$/su.exec(name);
  return found ? { stem: found[1] ?? '', ending: found[2] ?? '' } : { stem: name, ending: '' };
}
