// What happened to each entry of a converted file, as `--report` writes it and the export dialog shows it.

import type { Style } from './core/exporter.ts';
import type { Finding } from './core/finding.ts';
import type { JsonObject } from './core/json.ts';
import type { CanonicalLorebook } from './core/lorebook.ts';
import type { WrittenFile } from './export-character.ts';
import { SILLYTAVERN } from './formats/sillytavern/card.ts';
import type { EntryCounts } from './measure.ts';
import { countEntries } from './measure.ts';

/** What happened, as `--report` writes it. */
export interface ConvertReport {
  readonly target: string;
  readonly targetVersion: string | null;
  readonly style: Style;
  readonly files: readonly { readonly name: string; readonly mime: string; readonly bytes: number }[];
  readonly entries: EntryCounts;
  readonly findings: readonly Finding[];
  readonly steps: readonly string[];
  readonly settings: JsonObject;
}

/** Written files with their report. */
export interface Conversion {
  readonly files: readonly WrittenFile[];
  /** Those that the report's findings are about, under the ids that they have there. */
  readonly lorebooks: readonly CanonicalLorebook[];
  readonly report: ConvertReport;
}

/** What was asked for, as far as a report says it. */
export interface ReportedOptions {
  readonly target: string;
  readonly targetVersion?: string;
  readonly style?: Style;
}

/** What a target adds to a report: what the user does there. */
export type Guidance = Pick<ConvertReport, 'steps' | 'settings'>;

const NO_GUIDANCE: Guidance = { steps: [], settings: {} };

/** Puts written files and what was said of them together. `lorebooks`: those whose entries are counted. */
export function conversion(
  files: readonly WrittenFile[],
  lorebooks: readonly CanonicalLorebook[],
  found: readonly Finding[],
  options: ReportedOptions,
  { steps, settings }: Guidance = NO_GUIDANCE,
): Conversion {
  const findings = options.target === SILLYTAVERN ? found : found.map(asElsewhere);
  return {
    files,
    lorebooks,
    report: {
      target: options.target,
      targetVersion: options.targetVersion ?? null,
      style: options.style ?? 'natural',
      files: files.map(({ name, mime, bytes }) => ({ name, mime, bytes: bytes.length })),
      entries: countEntries(lorebooks, findings),
      findings,
      steps,
      settings,
    },
  };
}

// It names a script of the user's that SillyTavern alone runs: another app has nothing to lose by it.
function asElsewhere(found: Finding): Finding {
  if (found.code !== 'lost' || found.path !== 'automationId') return found;
  return { ...found, severity: 'info', message: 'Only SillyTavern uses it, so it stays behind.' };
}
