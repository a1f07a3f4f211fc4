// Another app's card on its way into SillyTavern: written in SillyTavern's words before it is uploaded. Loaded at the first
// such card, since most visits bring none.

import { convertFile } from '../../convert-file.ts';
import { SILLYTAVERN } from '../../formats/sillytavern/card.ts';
import type { ImportType } from '../../host/character-import.ts';
import type { Replacement } from '../../host/import-hook.ts';
import { fileStem } from '../../open-file.ts';
import type { OpenedCard } from './foreign-card.ts';
import type { ReadCard } from './incoming.ts';
import { readCard } from './incoming.ts';
import { drawnPicture, isPictureLeft, pictureLeft } from './picture.ts';
import { withTwin } from './twin.ts';

/** A converted card: the file that SillyTavern gets, and what our own import reads. */
export interface Arrival {
  readonly replacement: Replacement;
  readonly read: ReadCard;
  /** What could not come along, each one sentence. */
  readonly left: readonly string[];
}

/**
 * Converts a card of another app's. Its picture stays, also one that stood inside the JSON or is no PNG.
 * @param fileName the name under which it was chosen
 * @throws ConversionError or ContainerError, one sentence each
 */
export async function arrivalOf(opened: OpenedCard, app: string, fileName: string): Promise<Arrival> {
  const pictured = { ...opened, container: await drawnPicture(opened.container) };
  const form = formOf(pictured);
  const { files } = convertFile(pictured, { target: SILLYTAVERN, form });
  const [file] = files;
  if (file === undefined) throw new Error('nothing was written');
  const name = `${fileStem(fileName)}.${form}`;
  const read = readCard({
    ...opened.pieces,
    lorebooks: opened.pieces.lorebooks.map(withTwin),
  });
  return {
    replacement: { file: new File([new Uint8Array(file.bytes)], name, { type: file.mime }), fileType: form },
    read: { ...read, app },
    left: isPictureLeft(pictured.container) ? [pictureLeft(read.character)] : [],
  };
}

function formOf({ container }: OpenedCard): ImportType {
  if (container.zip !== undefined) return 'charx';
  return container.picture === undefined ? 'json' : 'png';
}
