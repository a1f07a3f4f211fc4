// What every tab of the panel is given.

import type { BookView } from '../../inspection/book-view.ts';
import type { ChangePlan } from './change-plan.ts';
import type { Subject, SubjectBook } from './subject.ts';

/** The tabs, in their order. */
export type TabId = 'entries' | 'map' | 'compare' | 'findings' | 'link';

/** What a tab draws, and what it can ask for. */
export interface TabProps {
  readonly subject: Subject;
  /** The book that is chosen, and its view. */
  readonly book: SubjectBook;
  readonly view: BookView;
  /** Goes to another tab, and there to an entry. */
  readonly show: (tab: TabId, entryId?: string) => void;
  /** Shows what a plan would change and, after a yes, applies it; the panel then reads its subject again. */
  readonly propose: (plan: ChangePlan) => Promise<void>;
}
