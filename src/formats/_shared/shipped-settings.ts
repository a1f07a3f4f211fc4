// The world info settings with which SillyTavern is shipped: what a book meets whose user is not known.

import type { ScanSettings } from '../../core/resolved.ts';

/** SillyTavern's shipped settings (1.19, default/content/settings.json; what it does not name, world-info.js). */
export const SHIPPED_SCAN_SETTINGS: ScanSettings = Object.freeze({
  depth: 2,
  minActivations: 0,
  minActivationsDepthMax: 0,
  budget: 25,
  budgetCap: 0,
  includeNames: true,
  recursive: true,
  maxRecursionSteps: 0,
  caseSensitive: false,
  matchWholeWords: true,
  useGroupScoring: false,
  overflowAlert: false,
  characterStrategy: 1,
});
