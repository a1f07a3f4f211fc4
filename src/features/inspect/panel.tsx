// The inspection panel: one lorebook of its subject at a time, in tabs. It draws views that are made elsewhere; what it
// changes, it changes through plans.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { t } from '../../host/context.ts';
import { type BookView, isPart, viewBook } from '../../inspection/book-view.ts';
import { onArrow } from './arrow-keys.ts';
import type { ChangePlan } from './change-plan.ts';
import { driftOf } from './compare-plans.ts';
import { CompareTab, OneCopy } from './compare-tab.tsx';
import { EntriesTab } from './entries-tab.tsx';
import { findingRows } from './finding-words.ts';
import { FindingsTab } from './findings-tab.tsx';
import { type Inherited, inheritedWords } from './inherited.ts';
import { CharacterLink, LinkTab } from './link-tab.tsx';
import { MapTab } from './map-tab.tsx';
import { PanelHead } from './panel-head.tsx';
import type { Subject, SubjectBook } from './subject.ts';
import type { TabId, TabProps } from './tab.ts';

/** What the panel begins with. */
export interface PanelStart {
  readonly tab?: TabId;
  readonly bookKey?: string;
  readonly entryId?: string;
}

interface Props {
  readonly subject: Subject;
  readonly first?: PanelStart;
  /** Reads the subject again, after a change. */
  readonly reload: () => Promise<Subject>;
  /** Previews a plan and applies it after a yes; false when nothing was changed. */
  readonly propose: (plan: ChangePlan) => Promise<boolean>;
}

interface Target {
  readonly entryId: string;
  readonly asked: number;
}

const VIEWS = new WeakMap<SubjectBook, BookView>();

// A view is as unchanging as its book; going to another tab and back must not make it again.
function viewOf(book: SubjectBook, subject: Subject): BookView {
  let view = VIEWS.get(book);
  if (view === undefined) {
    const read = viewBook(book.lorebook, book.reading, book.findings, subject.surroundings);
    view = book.totals === undefined ? read : { ...read, totals: book.totals };
    VIEWS.set(book, view);
  }
  return view;
}

/** Draws the panel. */
export function Panel({ subject: read, first, reload, propose }: Props) {
  const [subject, setSubject] = useState(read);
  // A first look is followed by the file itself.
  useEffect(() => setSubject(read), [read]);
  const [bookKey, setBookKey] = useState(first?.bookKey ?? read.books[0]?.key ?? '');
  const [tab, setTab] = useState<TabId>(first?.tab ?? 'entries');
  const [target, setTarget] = useState<Target | null>(
    first?.entryId === undefined ? null : { entryId: first.entryId, asked: 0 },
  );
  const [inherited, setInherited] = useState<Inherited>({});
  useEffect(() => {
    void inheritedWords().then(setInherited);
  }, []);
  const book = subject.books.find(({ key }) => key === bookKey) ?? subject.books[0];
  const view = useMemo(() => (book === undefined ? undefined : viewOf(book, subject)), [book, subject]);
  const show = (next: TabId, entryId?: string): void => {
    setTab(next);
    if (entryId !== undefined) setTarget((now) => ({ entryId, asked: (now?.asked ?? 0) + 1 }));
  };
  const proposeAndReload = async (plan: ChangePlan): Promise<void> => {
    if (await propose(plan)) setSubject(await reload());
  };
  const counts = useCounts(view, subject);
  return (
    <div class="lf-panel">
      <PanelHead
        subject={subject}
        book={book}
        view={view}
        drift={counts.compare ?? 0}
        choose={setBookKey}
        show={setTab}
      />
      <Tabs chosen={tab} choose={setTab} counts={counts} />
      <div
        class="lf-tab-body"
        role="tabpanel"
        id="lf-tab-body"
        aria-labelledby={`lf-tab-${tab}`}
        key={`${tab} ${book?.key ?? ''}`}
      >
        {book === undefined || view === undefined ? (
          <NoBook tab={tab} subject={subject} propose={proposeAndReload} />
        ) : (
          <TabBody
            tab={tab}
            props={{ subject, book, view, show, propose: proposeAndReload }}
            target={target}
            inherited={inherited}
          />
        )}
      </div>
    </div>
  );
}

type Counts = { readonly [T in TabId]?: number };

// What takes a moment to count is counted once the panel stands.
function useCounts(view: BookView | undefined, subject: Subject): Counts {
  const [later, setLater] = useState<Counts>({});
  useEffect(() => {
    // A first look is about to be followed by the whole.
    if (view !== undefined && isPart(view)) return;
    const waiting = setTimeout(() => {
      setLater({
        findings: view === undefined ? 0 : findingRows(view, subject.findings, undefined).length,
        compare: driftOf(subject) ?? 0,
      });
    });
    return () => clearTimeout(waiting);
  }, [view, subject]);
  return { ...later, entries: view?.totals.entries ?? 0 };
}

interface NoBookProps extends Pick<TabProps, 'subject' | 'propose'> {
  readonly tab: TabId;
}

// A dead link can be mended, and a lorebook linked, where there is none.
function NoBook({ tab, subject, propose }: NoBookProps) {
  if (tab === 'compare') return <OneCopy subject={subject} propose={propose} copies={NO_COPIES} />;
  if (tab === 'link') return <CharacterLink subject={subject} propose={propose} />;
  return <p class="lf-empty">{t`There is no lorebook here, neither in the card nor linked to it.`}</p>;
}

const NO_COPIES = { card: null, world: null };

interface BodyProps {
  readonly tab: TabId;
  readonly props: Parameters<typeof MapTab>[0];
  readonly target: Target | null;
  readonly inherited: Inherited;
}

function TabBody({ tab, props, target, inherited }: BodyProps) {
  switch (tab) {
    case 'entries':
      return <EntriesTab {...props} target={target} inherited={inherited} />;
    case 'map':
      return <MapTab {...props} />;
    case 'compare':
      return <CompareTab {...props} />;
    case 'findings':
      return <FindingsTab {...props} />;
    case 'link':
      return <LinkTab {...props} />;
  }
}

const ICONS: Readonly<Record<TabId, string>> = {
  entries: 'table-list',
  map: 'map',
  compare: 'code-compare',
  findings: 'list-check',
  link: 'link',
};

function tabWord(tab: TabId): string {
  switch (tab) {
    case 'entries':
      return t`Entries`;
    case 'map':
      return t`Prompt map`;
    case 'compare':
      return t`Compare`;
    case 'findings':
      return t`Findings`;
    case 'link':
      return t`Link`;
  }
}

interface TabsProps {
  readonly chosen: TabId;
  readonly choose: (tab: TabId) => void;
  readonly counts: Counts;
}

function Tabs({ chosen, choose, counts }: TabsProps) {
  const tabs = Object.keys(ICONS) as readonly TabId[];
  return (
    <div class="lf-tabs" role="tablist" onKeyDown={onArrow(tabs, chosen, choose)}>
      {tabs.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={`lf-tab-${tab}`}
          aria-selected={tab === chosen}
          aria-controls="lf-tab-body"
          tabIndex={tab === chosen ? 0 : -1}
          data-choice={tab}
          onClick={() => choose(tab)}
        >
          <i class={`fa-solid fa-${ICONS[tab]}`} aria-hidden="true" />
          <span>{tabWord(tab)}</span>
          {(counts[tab] ?? 0) > 0 ? <span class="lf-number">{counts[tab]?.toLocaleString()}</span> : null}
        </button>
      ))}
    </div>
  );
}
