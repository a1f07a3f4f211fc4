// What the dialog around the panel gives to tabs that need more than a plan.

import { createContext } from 'preact';
import type { Journal } from '../../host/journal.ts';

/** Services of the dialog. */
export interface PanelServices {
  readonly journal: Journal;
  /** Reads the subject again and draws the panel anew, after something else than a plan changed it. */
  readonly refresh: () => void;
  /** Imports the file that the panel was opened on, and closes the panel; null when it is no file. */
  readonly importFile: (() => Promise<void>) | null;
  /** Opens the export of what the panel was opened on. */
  readonly exportTo?: () => void;
}

/** The services; null where the panel is drawn without a dialog. */
export const PanelServicesContext = createContext<PanelServices | null>(null);
