// What the apps are called.

const NAMES: ReadonlyMap<string, string> = new Map([
  ['sillytavern', 'SillyTavern'],
  ['risu', 'RisuAI'],
  ['agnai', 'Agnai'],
  ['marinara', 'Marinara'],
  ['lumiverse', 'Lumiverse'],
  ['rolecall', 'RoleCall'],
  ['novelai', 'NovelAI'],
  ['chub', 'Chub'],
  ['wyvern', 'Wyvern'],
]);

/** Letters of an id that is no app of ours: it may come out of a file. */
const MOST_LETTERS = 40;

/** An app's name as it writes it; the id itself for one that we do not know. */
export const appName = (id: string): string => NAMES.get(id) ?? id.slice(0, MOST_LETTERS);
