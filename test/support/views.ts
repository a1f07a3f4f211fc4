// Books as the panel draws them.

import type { ContainerRead } from '../../src/containers/container.ts';
import type { Json } from '../../src/core/json.ts';
import type { FiringSurroundings } from '../../src/formats/sillytavern/firing.ts';
import { type BookView, viewBook } from '../../src/inspection/book-view.ts';
import { booksToInspect } from '../../src/inspection/inspection.ts';
import { openJson } from '../../src/open-file.ts';

/** A book looked at alone, with SillyTavern's shipped settings. */
export const ALONE: FiringSurroundings = {
  character: null,
  userName: 'Robin',
  includeNames: true,
  vectorsActive: false,
  scanDepth: 2,
};

/** The views of all books of a parsed file. */
export function viewsOf(json: Json, surroundings: Partial<FiringSurroundings> = {}): readonly BookView[] {
  const container: ContainerRead = { kind: 'json', json, copies: [{ json }], notes: [] };
  const opened = openJson(container, 'file.json');
  return booksToInspect(opened).map(({ lorebook, reading }) =>
    viewBook(lorebook, reading, opened.findings, { ...ALONE, ...surroundings }),
  );
}

/** The view of the only book of a parsed file. */
export function viewOf(json: Json, surroundings: Partial<FiringSurroundings> = {}): BookView {
  const [view, ...others] = viewsOf(json, surroundings);
  if (view === undefined || others.length > 0) throw new Error(`${others.length + 1} books`);
  return view;
}
