// SillyTavern's own order of entries, where its exporters find it too.

export type { PlacedEntry } from '../_shared/engine-order.ts';
export { engineOrder, textOrder } from '../_shared/engine-order.ts';
