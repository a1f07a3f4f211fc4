// Every field of an entry in words, also those that are unset: what they inherit is said.

import type { Json } from '../../core/json.ts';
import { writeKey } from '../../core/key.ts';
import type { Logic, LorebookEntry } from '../../core/lorebook.ts';
import { t } from '../../host/context.ts';
import type { EntryView } from '../../inspection/book-view.ts';
import type { Inherited } from './inherited.ts';

/** A field in words. */
export interface FieldWords {
  readonly name: string;
  readonly value: string;
  /** Nothing stands there: the value is what the reader does then. */
  readonly isUnset: boolean;
}

const set = (name: string, value: string): FieldWords => ({ name, value, isUnset: false });
const unset = (name: string, value: string): FieldWords => ({ name, value, isUnset: true });

/**
 * The fields of an entry.
 *
 * @param inherited what the user's own settings say where a field is unset, by path (`scan.depth` ...), in words
 */
export function everyField(view: EntryView, inherited: Inherited): readonly FieldWords[] {
  const { entry } = view;
  const own = (path: string): string => {
    const known = inherited[path];
    return known === undefined ? t`your setting` : t`your setting: ${known}`;
  };
  const { scan, group, recursion } = entry;
  return [
    list(t`Keys`, view.keys, t`none`),
    secondary(entry),
    probability(entry),
    ...timing(entry),
    group.name === ''
      ? unset(t`Group`, t`none`)
      : set(
          t`Group`,
          group.override
            ? t`${group.name}, weight ${group.weight}, prioritized`
            : t`${group.name}, weight ${group.weight}`,
        ),
    set(t`Recursion`, recursionWords(recursion)),
    scan.depth === null
      ? unset(t`Scan depth`, own('scan.depth'))
      : set(t`Scan depth`, t`${scan.depth} messages`),
    choice(t`Case`, scan.caseSensitive, [t`counts`, t`ignored`], own('scan.caseSensitive')),
    choice(t`Whole words`, scan.matchWholeWords, [t`on`, t`off`], own('scan.matchWholeWords')),
    choice(t`Group scoring`, group.scoring, [t`on`, t`off`], own('group.scoring')),
    list(t`Also scans`, sources(entry), t`nothing but the chat`),
    list(t`Triggers`, entry.triggers, t`all`),
    characters(entry),
    entry.ignoreBudget ? set(t`Budget`, t`ignored`) : unset(t`Budget`, t`kept`),
    entry.automationId === '' ? unset(t`Automation`, t`none`) : set(t`Automation`, entry.automationId),
    original(view.originalId),
    list(t`Kept, not used`, bagKeys(entry), t`nothing`),
  ];
}

function list(name: string, values: readonly string[], none: string): FieldWords {
  return values.length === 0 ? unset(name, none) : set(name, values.join(', '));
}

function choice(
  name: string,
  value: boolean | null,
  [yes, no]: readonly [string, string],
  inherits: string,
): FieldWords {
  return value === null ? unset(name, inherits) : set(name, value ? yes : no);
}

/** Secondary keys with how they join. */
export function secondary({ secondaryKeys, selective, logic }: LorebookEntry): FieldWords {
  if (secondaryKeys.length === 0) return unset(t`Secondary keys`, t`none`);
  const keys = secondaryKeys.map(writeKey).join(', ');
  return selective
    ? set(t`Secondary keys`, t`${logicWords(logic)}: ${keys}`)
    : unset(t`Secondary keys`, t`switched off: ${keys}`);
}

/** How secondary keys join, in words. */
export function logicWords(logic: Logic): string {
  switch (logic) {
    case 'and_any':
      return t`any of`;
    case 'and_all':
      return t`all of`;
    case 'not_any':
      return t`none of`;
    case 'not_all':
      return t`not all of`;
  }
}

/** The chance. */
export function probability({ probability: { chance, used } }: LorebookEntry): FieldWords {
  return used && chance !== 100 ? set(t`Probability`, t`${chance} %`) : unset(t`Probability`, t`always`);
}

/** Sticky, cooldown and delay; one line when there are none. */
export function timing({ timing: { sticky, cooldown, delay } }: LorebookEntry): readonly FieldWords[] {
  const told = [
    [t`Sticky`, sticky],
    [t`Cooldown`, cooldown],
    [t`Delay`, delay],
  ] as const;
  const there = told.filter(([, messages]) => messages !== null && messages > 0);
  if (there.length === 0) return [unset(t`Sticky, cooldown, delay`, t`none`)];
  return there.map(([name, messages]) => set(name, t`${messages} messages`));
}

/** What an entry has to do with other entries, in words. */
export function recursionWords({ exclude, prevent, delayUntil }: LorebookEntry['recursion']): string {
  const reached =
    delayUntil > 0
      ? t`only reached by other entries, level ${delayUntil}`
      : exclude
        ? t`not reached by other entries`
        : t`may be reached by other entries`;
  return prevent ? t`${reached}; starts none itself` : t`${reached}; may start others`;
}

/** What else is scanned, in words. */
export function sources({ sources: from }: LorebookEntry): readonly string[] {
  return [
    from.personaDescription ? t`persona` : '',
    from.characterDescription ? t`description` : '',
    from.characterPersonality ? t`personality` : '',
    from.characterDepthPrompt ? t`character’s note` : '',
    from.scenario ? t`scenario` : '',
    from.creatorNotes ? t`creator’s notes` : '',
  ].filter(Boolean);
}

/** Whom the entry is for. */
export function characters({ characterFilter: filter }: LorebookEntry): FieldWords {
  if (filter === null) return unset(t`Characters`, t`all`);
  const names = [...filter.names, ...filter.tags.map((tag) => t`tag ${tag}`)].join(', ');
  return set(t`Characters`, filter.exclude ? t`all but ${names}` : t`only ${names}`);
}

function original(id: Json): FieldWords {
  return id === null ? unset(t`Original id`, t`none`) : set(t`Original id`, JSON.stringify(id));
}

function bagKeys({ bag }: LorebookEntry): readonly string[] {
  return [...Object.keys(bag.entry), ...Object.keys(bag.extensions).map((key) => `extensions.${key}`)];
}
