// The settings that belong to an export, by the names that stand in the app itself.

import type { Json, JsonObject } from '../../core/json.ts';
import { t } from '../../host/context.ts';

/** A setting as a person finds it there. */
export interface SettingWords {
  readonly name: string;
  readonly value: string;
}

// As the apps' own interfaces have them (RisuAI 166.3.3, Agnaistic 1.0.27, Marinara Engine 2.3.3, Lumiverse 1.1.0), which are not
// translated here: a person looks for these very words.
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  risu: {
    scanDepth: 'Scan Depth',
    tokenBudget: 'Token Budget',
    recursiveScanning: 'Recursive Scanning',
    fullWordMatching: 'Full Word Matching',
  },
  agnai: {
    memoryDepth: 'Memory: Chat History Depth',
    memoryContextLimit: 'Memory: Context Limit',
  },
  marinara: {
    scanDepth: 'Scan Depth',
    tokenBudget: 'Token Budget',
    recursiveScanning: 'Recursive',
    maxRecursionDepth: 'Max Recursion Depth',
    entryLimit: 'Entry Limit',
    chatLorebookTokenBudget: 'Lorebook budget of the chat',
  },
  lumiverse: {
    maxRecursionPasses: 'Max Recursion Passes',
  },
};

/** Puts settings into words, in the order in which they were given; one without words goes by its own name. */
export function settingWords(target: string, settings: JsonObject): readonly SettingWords[] {
  const names = Object.hasOwn(NAMES, target) ? NAMES[target] : undefined;
  return Object.entries(settings).map(([name, value]) => ({
    name: names && Object.hasOwn(names, name) ? (names[name] ?? name) : name,
    value: valueWord(value ?? null),
  }));
}

function valueWord(value: Json): string {
  if (typeof value === 'boolean') return value ? t`on` : t`off`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Settings as lines to be copied. */
export const settingLines = (settings: readonly SettingWords[]): readonly string[] =>
  settings.map(({ name, value }) => `${name}: ${value}`);
