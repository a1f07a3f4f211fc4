// The user's world info settings, as SillyTavern keeps them in settings.json.

import type { Finding } from '../../core/finding.ts';
import { finding, shown } from '../../core/finding.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject } from '../../core/json.ts';
import type { ScanSettings } from '../../core/resolved.ts';
import { SHIPPED_SCAN_SETTINGS } from '../_shared/shipped-settings.ts';

export { SHIPPED_SCAN_SETTINGS };

/** The settings with what was assumed or mended while they were read. */
export interface ScanSettingsReading {
  readonly settings: ScanSettings;
  readonly findings: readonly Finding[];
}

type Name = keyof ScanSettings;

// SillyTavern's names without their prefix; some have been written in a shorter way.
const WIRES: readonly (readonly [Name, ...(readonly string[])])[] = [
  ['depth', 'depth'],
  ['minActivations', 'min_activations'],
  ['minActivationsDepthMax', 'min_activations_depth_max'],
  ['budget', 'budget'],
  ['budgetCap', 'budget_cap'],
  ['includeNames', 'include_names'],
  ['recursive', 'recursive'],
  ['maxRecursionSteps', 'max_recursion_steps'],
  ['caseSensitive', 'case_sensitive'],
  ['matchWholeWords', 'match_whole_words'],
  ['useGroupScoring', 'use_group_scoring'],
  ['overflowAlert', 'overflow_alert'],
  ['characterStrategy', 'character_strategy', 'strategy'],
];
const PREFIX = 'world_info_';
const CARD = { bookId: null, entryId: null };

/**
 * Reads SillyTavern's `settings.json` or its `world_info_settings` object, names with or without their prefix. Takes
 * any value and never throws: absent settings are the shipped ones, with one finding that names them (decisions 30).
 */
export function readScanSettings(json: Json | undefined): ScanSettingsReading {
  const findings: Finding[] = [];
  const held = settingsIn(json);
  if (held === null && json !== undefined && json !== null) {
    const message = 'The settings are no object; SillyTavern’s shipped world info settings were used.';
    findings.push(finding('refused', CARD, 'settings', shown(json), null, message));
  }
  const read: Record<string, number | boolean> = {};
  const absent: Name[] = [];
  for (const [name, ...wires] of WIRES) {
    const raw = held === null ? undefined : rawAt(held, wires);
    const value = raw === undefined || raw === null ? undefined : settingFrom(name, raw, findings);
    read[name] = value ?? SHIPPED_SCAN_SETTINGS[name];
    if (value === undefined) absent.push(name);
  }
  const settings = read as unknown as ScanSettings;
  const assumed = absent.filter((name) => matters(name, settings));
  if (assumed.length > 0) findings.push(assumedFinding(assumed));
  return { settings, findings };
}

/** Whether a file of settings holds any of these, or none at all: another file is not meant. */
export function holdsScanSettings(json: Json): boolean {
  const held = settingsIn(json);
  if (held === null) return false;
  return Object.keys(held).length === 0 || WIRES.some(([, ...wires]) => rawAt(held, wires) !== undefined);
}

function settingsIn(json: Json | undefined): JsonObject | null {
  if (!isObject(json)) return null;
  const inner = json['world_info_settings'];
  return isObject(inner) ? inner : json;
}

function rawAt(held: JsonObject, wires: readonly string[]): Json | undefined {
  for (const wire of wires) {
    for (const key of [PREFIX + wire, wire]) {
      if (Object.hasOwn(held, key) && held[key] !== undefined) return held[key];
    }
  }
  return undefined;
}

function settingFrom(name: Name, raw: Json, findings: Finding[]): number | boolean | undefined {
  const shipped = SHIPPED_SCAN_SETTINGS[name];
  if (typeof shipped === 'boolean') return Boolean(raw);
  const number = typeof raw === 'string' && raw.trim() === '' ? Number.NaN : Number(raw);
  // SillyTavern takes a budget above 100 for one of an old version and sets its default.
  const value = Number.isFinite(number) && !(name === 'budget' && number > 100) ? number : shipped;
  if (value !== raw) {
    const message = `The setting ${name} was ${shown(raw)} and was read as ${value}.`;
    findings.push(finding('repaired', CARD, `settings.${name}`, raw, value, message));
  }
  return value;
}

// A setting that cannot change what an entry does is not worth a word.
function matters(name: Name, settings: ScanSettings): boolean {
  if (name === 'overflowAlert') return false;
  return name !== 'minActivationsDepthMax' || settings.minActivations > 0;
}

function assumedFinding(names: readonly Name[]): Finding {
  const values = Object.fromEntries(names.map((name) => [name, SHIPPED_SCAN_SETTINGS[name]]));
  const message =
    names.length === WIRES.length - 2
      ? 'No world info settings were given; SillyTavern’s shipped ones were used.'
      : `Some world info settings were not given; SillyTavern’s shipped ones were used: ${names.join(', ')}.`;
  return finding('assumed', CARD, 'settings', null, values, message);
}
