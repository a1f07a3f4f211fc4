// Fields as a person sees them: by the words of SillyTavern's own editor where it has the field.

import { oneLine, short } from './terminal-text.ts';

const OF_ENTRIES: Readonly<Record<string, string>> = {
  keys: 'keys',
  secondaryKeys: 'secondary keys',
  title: 'title',
  content: 'content',
  order: 'order',
  enabled: 'on or off',
  constant: 'constant',
  selective: 'logic',
  logic: 'logic',
  vectorized: 'vectorized',
  triggers: 'triggers',
  characterFilter: 'character filter',
  ignoreBudget: 'budget',
  automationId: 'automation id',
  displayIndex: 'place in the list',
  priority: 'priority',
  entry: 'the entry',
  id: 'id',
  'position.slot': 'position',
  'position.depth': 'depth',
  'position.role': 'role',
  'position.outlet': 'outlet',
  'probability.chance': 'probability',
  'probability.used': 'probability',
  'timing.sticky': 'sticky',
  'timing.cooldown': 'cooldown',
  'timing.delay': 'delay',
  'group.name': 'group',
  'group.weight': 'group weight',
  'group.override': 'prioritized in its group',
  'group.scoring': 'group scoring',
  recursion: 'recursion',
  'recursion.exclude': 'recursion',
  'recursion.prevent': 'recursion',
  'recursion.delayUntil': 'recursion',
  'scan.depth': 'scan depth',
  'scan.caseSensitive': 'small and capital letters',
  'scan.matchWholeWords': 'whole words',
};

const OF_BOOKS: Readonly<Record<string, string>> = {
  name: 'name',
  description: 'description',
  scanDepth: 'scan depth',
  tokenBudget: 'token budget',
  recursiveScanning: 'recursive scanning',
  extensions: 'what is kept aside',
  entryLimit: 'entry limit',
  folders: 'folders',
};

const OF_LOREBOOKS = { ...OF_BOOKS, ...OF_ENTRIES };

const OF_SETTINGS: Readonly<Record<string, string>> = {
  depth: 'scan depth',
  budget: 'budget',
  minActivations: 'min activations',
  maxRecursionSteps: 'max recursion steps',
  characterStrategy: 'insertion strategy',
  includeNames: 'include names',
  groups: 'groups',
};

const OF_CARDS: Readonly<Record<string, string>> = {
  name: 'name',
  description: 'description',
  personality: 'personality',
  scenario: 'scenario',
  first_mes: 'first message',
  mes_example: 'example messages',
  creator_notes: 'creator’s notes',
  creatorcomment: 'creator’s notes',
  system_prompt: 'main prompt',
  post_history_instructions: 'post-history instructions',
  alternate_greetings: 'alternate greetings',
  group_only_greetings: 'greetings in groups',
  character_version: 'version',
  creator: 'creator',
  tags: 'tags',
  nickname: 'nickname',
  source: 'source',
  assets: 'assets',
  creation_date: 'date of creation',
  modification_date: 'date of the last change',
  creator_notes_multilingual: 'creator’s notes in other languages',
  talkativeness: 'talkativeness',
  'extensions.talkativeness': 'talkativeness',
  'extensions.fav': 'favourite',
  'extensions.world': 'linked lorebook',
  'extensions.depth_prompt': 'character’s note',
  character_book: 'lorebook',
};

/** The name of the field that a finding's path stands for; one that only a file has goes by its own name. */
export function fieldWords(path: string): string {
  const [table, name] = path.startsWith('settings.')
    ? [OF_SETTINGS, path.slice('settings.'.length)]
    : path.startsWith('data.')
      ? [OF_CARDS, path.slice('data.'.length)]
      : [OF_LOREBOOKS, path];
  if (Object.hasOwn(table, name)) return table[name] ?? name;
  if (path.startsWith('sources.')) return 'additional sources';
  return `the field “${short(oneLine(name.replace(/^extensions\./, '')))}”`;
}
