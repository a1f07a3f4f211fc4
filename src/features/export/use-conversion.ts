// The outcome of the choices of now. Choices change faster than thousands of entries are written, so only the newest
// are worked on.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { ExportDesk } from './export-desk.ts';
import type { ExportChoices, ExportOutcome } from './export-material.ts';

/** The last outcome, and whether it is that of the choices of now. */
export interface ConversionOfNow {
  /** Stays while the next one is worked on, also when that fails. */
  readonly outcome: ExportOutcome | null;
  /** One sentence; null when it went well. */
  readonly error: string | null;
  readonly isWorking: boolean;
}

// A person who goes through radio buttons with the arrow keys wants the last one.
const DELAY_MS = 150;

interface Done {
  readonly choices: ExportChoices;
  readonly outcome: ExportOutcome | null;
  readonly error: string | null;
}

/** Converts whenever the choices change. */
export function useConversion(desk: ExportDesk, choices: ExportChoices): ConversionOfNow {
  const [done, setDone] = useState<Done | null>(null);
  const newest = useRef(choices);
  const state = useRef({ isBusy: false, isOpen: true });
  newest.current = choices;
  useEffect(() => {
    const { current } = state;
    current.isOpen = true;
    return () => {
      current.isOpen = false;
    };
  }, []);
  useEffect(() => {
    const work = async (): Promise<void> => {
      const { current } = state;
      if (current.isBusy) return;
      current.isBusy = true;
      for (let asked: ExportChoices | null = null; current.isOpen && asked !== newest.current; ) {
        asked = newest.current;
        const result = await attempt(desk, asked);
        if (current.isOpen && asked === newest.current)
          setDone((before) => ({ ...result, outcome: result.outcome ?? before?.outcome ?? null }));
      }
      current.isBusy = false;
    };
    const waiting = setTimeout(() => void work(), done === null ? 0 : DELAY_MS);
    return () => clearTimeout(waiting);
  }, [desk, choices]);
  return {
    outcome: done?.outcome ?? null,
    error: done?.choices === choices ? done.error : null,
    isWorking: done?.choices !== choices,
  };
}

async function attempt(desk: ExportDesk, choices: ExportChoices): Promise<Done> {
  try {
    return { choices, outcome: await desk.convert(choices), error: null };
  } catch (error) {
    return { choices, outcome: null, error: error instanceof Error ? error.message : String(error) };
  }
}
