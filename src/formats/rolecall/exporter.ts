// RoleCall as a target, marked experimental: the app could not be run (decisions 33).

import type { Exported, Exporter, ExportRequest } from '../../core/exporter.ts';
import type { ResolvedCharacter } from '../../core/resolved.ts';
import { rolecallCard } from './card.ts';
import { SCHEMA_VERSION } from './lorebook-file.ts';
import { rolecallLorebooks } from './lorebook-writing.ts';

/** RoleCall. Its own lorebook file holds more than a card's book; both together would hold the lore twice. */
export const ROLECALL_EXPORTER: Exporter = {
  id: 'rolecall',
  version: SCHEMA_VERSION,
  versions: [SCHEMA_VERSION],
  forms: ['png', 'json', 'lorebook'],
  usualForm: 'png',
  png: { keywords: ['chara', 'ccv3'] },
  write,
};

const EXPERIMENTAL =
  'RoleCall is experimental here: the app could not be run, so check in RoleCall what became of the entries.';

function write(resolved: ResolvedCharacter, request: ExportRequest): Exported {
  const { form, style, privateFields, noteDepth } = request;
  if (form === 'lorebook') {
    const { lorebooks, findings, own } = rolecallLorebooks(resolved, {
      style,
      privateFields,
      ...(noteDepth === undefined ? {} : { noteDepth }),
    });
    return {
      files: lorebooks.map(({ name, json }) => ({ kind: 'file', name: `${name}.json`, json })),
      findings,
      own,
      steps: [EXPERIMENTAL, 'In RoleCall, import each lorebook file into your library.'],
      settings: {},
    };
  }
  const { card, findings } = rolecallCard(resolved, privateFields);
  return {
    files: [{ kind: 'card', name: resolved.character.name, json: card }],
    findings,
    steps: [EXPERIMENTAL, 'In RoleCall, import the character file.', ...insideStep(resolved.books.length)],
    settings: {},
  };
}

function insideStep(books: number): readonly string[] {
  if (books === 0) return [];
  const inside = books === 1 ? 'The lorebook is inside that file' : 'The lorebooks are inside that file';
  return [
    `${inside}; imported by ${books === 1 ? 'itself' : 'themselves'} as well, the entries would be there twice.`,
  ];
}
