// A character's own fields as Agnai wants them: every one that it asks for is there and a text, since one that is null or
// missing makes it refuse the whole character or save the word "undefined". Facts: Agnaistic 1.0.27, import, client and
// server of a signed-in user.

import type { CanonicalCharacter } from '../../core/character.ts';
import type { Finding } from '../../core/finding.ts';
import { finding, shown } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject } from '../../core/json.ts';
import type { DepthPrompt } from '../../core/resolved.ts';
import { asText, asTexts, rawCardData } from '../_shared/card-data.ts';
import { EXTENSIONS_LEFT_OUT, keptData, noteAside } from './kept-aside.ts';
import { unknownMacros, withKnownNames, withOutlets } from './macros.ts';
import { OWN_FIELDS, TEXT_NAMES } from './native-character.ts';
import { isPersona, personaText, textPersona } from './persona.ts';
import type { Placing } from './placing.ts';
import type { OwnMark } from './restoring.ts';

const CARD = { bookId: null, entryId: null };
/** The fields of a character without its book, what is kept aside of them, and what had to be changed. */
export interface CharacterFields {
  readonly native: JsonObject;
  /** Fields of the card, as they were, that the character does not say. */
  readonly kept: JsonObject;
  /** Set where they are Agnai's own, of which only what was edited is written. */
  readonly own?: OwnMark;
  readonly findings: readonly Finding[];
}

/** The raw data of a character's card, or what is known of it; a flat card's fields are named if they are not written. */
export function cardData(character: CanonicalCharacter): JsonObject {
  const flat = Object.values(character.original)
    .map(({ raw }) => raw)
    .find(isObject);
  return rawCardData(character, Object.keys(flat ?? {}));
}

/** Writes a character's fields; texts of its books that stand in them are in `placing`. */
export function characterFields(
  character: CanonicalCharacter,
  placing: Placing,
  depthPrompt: DepthPrompt | null,
  hasBook: boolean,
): CharacterFields {
  const data = cardData(character);
  const findings: Finding[] = [];
  const near = (path: string, before: Json, after: Json, message: string): void => {
    findings.push(finding('approximated', CARD, path, before, after, message));
  };
  const text = (card: string, isTopLevel = true): string => {
    const own = asText(data[card]);
    if (data[card] !== undefined && data[card] !== null && data[card] !== own) {
      findings.push(
        finding(
          'repaired',
          CARD,
          `data.${card}`,
          data[card],
          own,
          `${card} ${shown(data[card])} is not a text.`,
        ),
      );
    }
    const named = withOutlets(withKnownNames(own), placing.outlets);
    const written = isTopLevel ? asImported(named) : named;
    const unknown = unknownMacros(HOLD_ORIGINAL.has(card) ? written.replace(ORIGINAL, '') : written);
    if (written !== withKnownNames(own)) {
      near(
        `data.${card}`,
        own,
        written,
        'Agnai has no outlets, reads \\n as a new line and “You:” at the start of a line as the user.',
      );
    } else if (unknown.length > 0) {
      near(
        `data.${card}`,
        own,
        `${unknown.join(', ')} as it stands`,
        `Agnai does not replace ${unknown.join(', ')} as SillyTavern does.`,
      );
    }
    return written;
  };
  const texts = Object.fromEntries(TEXT_NAMES.map(([native, card]) => [native, text(card)]));
  if (String(texts['name']).trim() === '') {
    texts['name'] = 'Character';
    findings.push(
      finding('assumed', CARD, 'data.name', data['name'], 'Character', 'A character needs a name there.'),
    );
  }
  texts['sampleChat'] = [String(texts['sampleChat']), ...placing.examples.map(asExample)]
    .filter((part) => part !== '')
    .join('\n');
  const [description, personality] = [text('description', false), text('personality', false)];
  if (personality !== '') {
    near(
      'data.personality',
      personality,
      '',
      'Agnai has one text for description and personality; they are joined there.',
    );
  }
  const extensions = isObject(data['extensions']) ? data['extensions'] : {};
  const own = isObject(extensions['agnai']) ? extensions['agnai'] : {};
  const persona =
    isPersona(own['persona']) &&
    personality === '' &&
    personaText(String(texts['name']), own['persona']) === description
      ? own['persona']
      : textPersona([description, personality].filter((part) => part !== '').join('\n'));
  if (depthPrompt !== null && depthPrompt.role !== 'system') {
    near(
      'data.extensions.depth_prompt.role',
      depthPrompt.role,
      'system',
      'The Insert of a character is spoken by the system.',
    );
  }
  noteAside(data, extensions, hasBook, findings);
  const { insert } = placing;
  return {
    native: {
      kind: 'character',
      ...texts,
      persona,
      tags: asTexts(data['tags']),
      alternateGreetings: asTexts(data['alternate_greetings']).map((each) =>
        withOutlets(withKnownNames(each), placing.outlets),
      ),
      ...(insert === null ? {} : { insert: { prompt: insert.prompt, depth: insert.depth } }),
      ...ownFields(own),
      extensions: Object.fromEntries(
        Object.entries(extensions).filter(([key]) => !EXTENSIONS_LEFT_OUT.has(key)),
      ),
    },
    kept: keptData(data),
    findings,
  };
}

// What the preset says itself, put in by both apps.
const ORIGINAL = /\{\{original\}\}/gi;
const HOLD_ORIGINAL: ReadonlySet<string> = new Set(['system_prompt', 'post_history_instructions']);

// SillyTavern makes a text among the examples a block of its own (1.19, parseMesExamples); without its mark it would
// be spoken by whoever spoke last.
const asExample = (text: string): string => asImported(/^\s*<START>/i.test(text) ? text : `<START>\n${text}`);

// Agnai's own import changes texts of the character so; what is in the file is what it will hold.
const asImported = (text: string): string =>
  text
    .replace(/\\n/g, '\n')
    .replace(/^You:/i, '{{user}}:')
    .replace(/\nYou:/g, '\n{{user}}:');

const KINDS: Readonly<Record<string, (value: Json) => boolean>> = {
  appearance: (value) => typeof value === 'string',
  culture: (value) => typeof value === 'string',
  visualType: (value) => value === 'avatar' || value === 'sprite',
  sprite: isObject,
  json: isObject,
  imageSettings: isObject,
  voiceDisabled: (value) => typeof value === 'boolean',
  voice: (value) =>
    isObject(value) && typeof value['service'] === 'string' && typeof value['voiceId'] === 'string',
};

// What only Agnai has comes back where it is of the kind that Agnai takes: anything else would refuse the character.
const ownFields = (own: JsonObject): JsonObject =>
  Object.fromEntries(
    OWN_FIELDS.flatMap((key) => {
      const value = own[key];
      return value !== undefined && value !== null && KINDS[key]?.(value) === true ? [[key, value]] : [];
    }),
  );
