// What an unset field of an entry inherits: the user's own settings, in words.

import { t } from '../../host/context.ts';
import { scanSettings } from '../../host/world-links.ts';

/** Words by the path of the field that inherits. */
export type Inherited = Readonly<Record<string, string>>;

/** Asks SillyTavern for its scan settings; nothing where it does not tell. */
export async function inheritedWords(): Promise<Inherited> {
  const settings = await scanSettings();
  if (settings === undefined) return {};
  const { world_info_depth: depth } = settings;
  const onOff = (key: string, yes: string, no: string): string => (settings[key] === true ? yes : no);
  return {
    ...(typeof depth === 'number' ? { 'scan.depth': t`${depth} messages` } : {}),
    'scan.caseSensitive': onOff('world_info_case_sensitive', t`counts`, t`ignored`),
    'scan.matchWholeWords': onOff('world_info_match_whole_words', t`on`, t`off`),
    'group.scoring': onOff('world_info_use_group_scoring', t`on`, t`off`),
  };
}
