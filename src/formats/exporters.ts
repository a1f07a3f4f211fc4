// Other apps as targets. Apart from the readers' registry: every import of a card needs those, and no exporter.

import type { Exporter } from '../core/exporter.ts';
import { AGNAI_EXPORTER } from './agnai/exporter.ts';
import { LUMIVERSE_EXPORTER } from './lumiverse/exporter.ts';
import { MARINARA_EXPORTER } from './marinara/exporter.ts';
import { RISU_EXPORTER } from './risu/exporter.ts';
import { ROLECALL_EXPORTER } from './rolecall/exporter.ts';

/** Other apps that can be written for, in the order in which they are offered. */
export const EXPORTERS: readonly Exporter[] = [
  RISU_EXPORTER,
  AGNAI_EXPORTER,
  MARINARA_EXPORTER,
  LUMIVERSE_EXPORTER,
  ROLECALL_EXPORTER,
];

/** The exporter of another app, or null while there is none. */
export function exporterFor(target: string): Exporter | null {
  return EXPORTERS.find((exporter) => exporter.id === target) ?? null;
}
