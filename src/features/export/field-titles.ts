// What a field of a report is called: as the person sees it in SillyTavern, never by a path.

import { t } from '../../host/context.ts';
import { fieldName } from '../import/entry-words.ts';

const LETTERS = 80;

/** The name of the field that a finding's path stands for; one that only a file has is called by its own name. */
export function fieldTitle(path: string): string {
  const title = path.startsWith('settings.')
    ? settingTitle(path.slice('settings.'.length))
    : path.startsWith('data.')
      ? cardTitle(path.slice('data.'.length).replace(/^extensions\./, ''))
      : (entryTitle(path) ?? bookTitle(path) ?? knownName(path));
  return title ?? ownName(path);
}

function ownName(path: string): string {
  const name = path.replace(/^data\./, '').replace(/^extensions\./, '');
  const short = name.length > LETTERS ? `${name.slice(0, LETTERS)}…` : name;
  return t`Field “${short}”`;
}

// A path that has no words comes back as it is.
function knownName(path: string): string | undefined {
  const name = fieldName(path);
  return name === path ? undefined : name;
}

// Of these a report has a value each; their section's name would not say which.
function entryTitle(path: string): string | undefined {
  switch (path) {
    case 'timing.sticky':
      return t`Sticky`;
    case 'timing.cooldown':
      return t`Cooldown`;
    case 'timing.delay':
      return t`Delay`;
    case 'group.weight':
      return t`Group weight`;
    case 'scan.depth':
      return t`Scan depth`;
    case 'scan.caseSensitive':
      return t`Case-sensitive`;
    case 'scan.matchWholeWords':
      return t`Whole words`;
    case 'position.depth':
      return t`Depth`;
    case 'position.role':
      return t`Role`;
    case 'position.outlet':
      return t`Outlet`;
    case 'displayIndex':
      return t`Place in the list`;
    case 'priority':
      return t`Priority`;
  }
  return undefined;
}

function bookTitle(path: string): string | undefined {
  switch (path) {
    case 'name':
      return t`Name`;
    case 'description':
      return t`Description`;
    case 'scanDepth':
      return t`Scan depth`;
    case 'tokenBudget':
      return t`Token budget`;
    case 'recursiveScanning':
      return t`Recursive scanning`;
    case 'entryLimit':
      return t`Entry limit`;
    case 'folders':
      return t`Folders`;
    case 'extensions':
    case 'characterBook.extensions':
      return t`What is kept aside`;
  }
  return undefined;
}

// As the settings of World Info name them (SillyTavern 1.19, public/index.html).
function settingTitle(name: string): string | undefined {
  switch (name) {
    case 'depth':
      return t`Scan depth`;
    case 'budget':
      return t`Lorebook budget`;
    case 'minActivations':
      return t`Min Activations`;
    case 'maxRecursionSteps':
      return t`Max Recursion Steps`;
    case 'characterStrategy':
      return t`Insertion Strategy`;
    case 'includeNames':
      return t`Include Names`;
    case 'groups':
      return t`Groups`;
  }
  return undefined;
}

function cardTitle(name: string): string | undefined {
  switch (name) {
    case 'name':
      return t`Name`;
    case 'description':
      return t`Description`;
    case 'personality':
      return t`Personality`;
    case 'scenario':
      return t`Scenario`;
    case 'first_mes':
      return t`First message`;
    case 'mes_example':
      return t`Examples of dialogue`;
    case 'creator_notes':
    case 'creatorcomment':
      return t`Creator’s notes`;
    case 'creator_notes_multilingual':
      return t`Creator’s notes in other languages`;
    case 'system_prompt':
      return t`Main prompt`;
    case 'post_history_instructions':
      return t`Post-history instructions`;
    case 'alternate_greetings':
      return t`Alternate greetings`;
    case 'group_only_greetings':
      return t`Greetings in groups`;
    case 'character_version':
      return t`Character version`;
    case 'creator':
      return t`Created by`;
    case 'tags':
      return t`Tags`;
    case 'nickname':
      return t`Nickname`;
    case 'source':
      return t`Source`;
    case 'assets':
      return t`Assets`;
    case 'creation_date':
      return t`Date of creation`;
    case 'modification_date':
      return t`Date of the last change`;
    case 'talkativeness':
      return t`Talkativeness`;
    case 'fav':
      return t`Favorite`;
    case 'world':
      return t`Linked lorebook`;
    case 'depth_prompt':
      return t`Character’s note`;
    case 'character_book':
      return t`Lorebook`;
  }
  return undefined;
}
