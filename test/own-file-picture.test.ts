// An app's own character file is no picture: the character's one goes into it as text, without the card that stands in it.

import { expect, it } from 'vitest';
import { decodeBase64 } from '../src/containers/base64.ts';
import { writeContainer } from '../src/containers/container.ts';
import { convertFile } from '../src/convert-file.ts';
import type { JsonObject } from '../src/core/json.ts';
import { openFile } from '../src/open-file.ts';
import { bookEntry, bookOf, cardWith } from './support/fixtures.ts';
import { rawChunks } from './support/png-fixtures.ts';

const CARD = cardWith(bookOf(bookEntry()));
const PNG = writeContainer({ kind: 'png' }, CARD);
const JSON_FILE = writeContainer({ kind: 'json' }, CARD);

function avatarOf(bytes: Uint8Array): string | undefined {
  const { files } = convertFile(openFile(bytes, 'card'), { target: 'marinara', form: 'native' });
  const file = JSON.parse(new TextDecoder().decode(files[0]?.bytes)) as { data: JsonObject };
  return file.data['avatar'] as string | undefined;
}
const chunksOf = (png: Uint8Array): readonly string[] =>
  rawChunks(png).map((chunk) => Buffer.from(chunk).toString('latin1'));

it('the picture stands in it, and the card does not stand in the picture', () => {
  const [head, text] = (avatarOf(PNG) ?? '').split(',');
  expect(head).toBe('data:image/png;base64');
  const picture = chunksOf(decodeBase64(new TextEncoder().encode(text)));
  const all = chunksOf(PNG);
  expect(picture).toEqual(all.filter((chunk) => chunk.slice(4, 8) !== 'tEXt'));
  expect(all.length).toBe(picture.length + 2);
});

it('it comes back with the character', () => {
  const { files } = convertFile(openFile(PNG, 'card'), { target: 'marinara', form: 'native' });
  const { container } = openFile(files[0]?.bytes as Uint8Array, 'card.marinara.json');
  expect(chunksOf(container.picture as Uint8Array)).toHaveLength(chunksOf(PNG).length - 2);
});

it('where there is none, none stands there', () => {
  expect(avatarOf(JSON_FILE)).toBeUndefined();
});
