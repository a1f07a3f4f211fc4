// Lorebook files of an app's own, as its exporter writes them.

import type { Finding } from '../../core/finding.ts';
import type { JsonObject } from '../../core/json.ts';
import type { OwnPart } from '../../core/own-part.ts';

/** One file. */
export interface WrittenLorebook {
  readonly bookId: string;
  readonly name: string;
  readonly json: JsonObject;
}

/** Written files with what is to be said of them. */
export interface WrittenLorebooks {
  readonly lorebooks: readonly WrittenLorebook[];
  readonly findings: readonly Finding[];
  /** What of them is as the app itself wrote it. */
  readonly own: readonly OwnPart[];
}
