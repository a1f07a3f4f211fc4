// SillyTavern's own extension Vector Storage, which can start world info entries without their keys.

import { isObject } from '../core/json.ts';
import { context } from './context.ts';

/**
 * Whether Vector Storage starts vectorized entries: it is not switched off among the extensions, and "Enable for World
 * Info" is on (public/scripts/extensions/vectors/index.js, activateWorldInfo; 1.13 to 1.19).
 */
export function vectorsStartEntries(): boolean {
  const { extensionSettings } = context();
  const disabled = extensionSettings?.['disabledExtensions'];
  if (Array.isArray(disabled) && disabled.includes('vectors')) return false;
  const vectors = extensionSettings?.['vectors'];
  return isObject(vectors) && vectors['enabled_world_info'] === true;
}
