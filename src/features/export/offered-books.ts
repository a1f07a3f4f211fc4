// The lorebooks that can go along with a character: the live world files, not the stale copy in the card.

import { readContainer } from '../../containers/container.ts';
import type { Finding } from '../../core/finding.ts';
import { isObject } from '../../core/json.ts';
import type { CanonicalLorebook } from '../../core/lorebook.ts';
import type { BookOrigin } from '../../core/resolved.ts';
import { compareCopies } from '../../inspection/comparison.ts';
import { type LinkedWorld, liveLorebooks } from '../../live-lorebooks.ts';
import type { OpenedFile } from '../../open-file.ts';
import type { OfferedBook, WorldInForce, WorldRole } from './export-material.ts';

/** A lorebook of the offer, with what is needed to write it. */
export interface BookInOffer {
  readonly offered: OfferedBook;
  readonly lorebook: CanonicalLorebook;
  readonly origin: BookOrigin;
  readonly findings: readonly Finding[];
}

/**
 * The books of an opened file with the worlds in force: those of the character first and ticked, then those of the
 * chat, the persona and of every chat.
 *
 * @param link the world that the card names, "" for none
 */
export function offeredBooks(
  opened: OpenedFile,
  worlds: readonly WorldInForce[],
  link: string,
): readonly BookInOffer[] {
  if (opened.kind !== 'card') {
    const lorebook = opened.kind === 'worldinfo' ? opened.world.lorebook : opened.lorebook;
    return [
      inOffer(lorebook, { roles: ['alone'], isTicked: true, origin: 'primary', drift: 0, findings: [] }),
    ];
  }
  const embedded = opened.pieces.lorebooks;
  const own = worlds.filter(isOwn);
  const live = liveLorebooks(embedded, own.map(linkedWorld), link);
  const others = worlds.filter((world) => !isOwn(world));
  const guests = liveLorebooks([], others.map(linkedWorld), '');
  const findingsOf = (
    { findings }: { readonly findings: readonly Finding[] },
    id: string,
  ): readonly Finding[] => findings.filter((each) => each.bookId === id && !isAddition(each));
  return [
    ...live.lorebooks.map((lorebook, index) => {
      const world = own.find(({ name }) => lorebook.id === worldId(name));
      return inOffer(lorebook, {
        roles: world?.roles ?? ['card'],
        isTicked: true,
        origin: world === undefined ? (index === 0 ? 'primary' : 'additional') : originOf(world.roles),
        drift: world?.roles.includes('linked') ? driftOf(embedded[0], lorebook, live.replaced) : 0,
        findings: findingsOf(live, lorebook.id),
      });
    }),
    ...guests.lorebooks.map((lorebook) => {
      const world = others.find(({ name }) => lorebook.id === worldId(name));
      const roles = world?.roles ?? ['global'];
      return inOffer(lorebook, {
        roles,
        isTicked: false,
        origin: originOf(roles),
        drift: 0,
        findings: findingsOf(guests, lorebook.id),
      });
    }),
  ];
}

const worldId = (name: string): string => `worldinfo:${name}`;
const isOwn = ({ roles }: WorldInForce): boolean => roles.includes('linked') || roles.includes('additional');
// That a world file goes along is what the list of books says.
const isAddition = ({ code, path }: Finding): boolean => code === 'assumed' && path === 'book';

function linkedWorld({ name, bytes }: WorldInForce): LinkedWorld {
  const { json } = readContainer(bytes, `${name}.json`);
  return { name, world: isObject(json) ? json : { entries: {} } };
}

// SillyTavern takes a world that is several of these for the first (1.19, getCharacterLore and its neighbours).
const PRECEDENCE: readonly (readonly [WorldRole, BookOrigin])[] = [
  ['global', 'global'],
  ['chat', 'chat'],
  ['persona', 'persona'],
  ['linked', 'primary'],
  ['additional', 'additional'],
];

const originOf = (roles: OfferedBook['roles']): BookOrigin =>
  PRECEDENCE.find(([role]) => roles.includes(role))?.[1] ?? 'additional';

// More entries take longer than a person should wait for a number.
const MOST_COMPARED = 1500;

function driftOf(
  copy: CanonicalLorebook | undefined,
  world: CanonicalLorebook,
  replaced: ReadonlySet<string>,
): number | null {
  if (copy === undefined || !replaced.has(copy.id)) return 0;
  if (copy.body.entries.length + world.body.entries.length > MOST_COMPARED) return null;
  const { added, removed, changed } = compareCopies(copy.body, world.body).difference;
  return added.length + removed.length + changed.length;
}

interface Place
  extends Pick<OfferedBook, 'roles' | 'isTicked' | 'drift'>,
    Pick<BookInOffer, 'origin' | 'findings'> {}

function inOffer(lorebook: CanonicalLorebook, { origin, findings, ...place }: Place): BookInOffer {
  const { entries } = lorebook.body;
  return {
    lorebook,
    origin,
    findings,
    offered: {
      key: lorebook.id,
      name: lorebook.name,
      ...place,
      entryCount: entries.length,
      hasPrivate: entries.some((entry) => entry.characterFilter !== null || entry.automationId !== ''),
    },
  };
}
