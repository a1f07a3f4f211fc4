// Who uses a world: characters, the chat that is open, the persona, every chat.

import { useEffect, useState } from 'preact/hooks';
import { type CharacterName, type WorldUsers, worldUsers } from '../../host/character-list.ts';
import { t, warn } from '../../host/context.ts';
import type { Subject } from './subject.ts';

/** Draws the list. It is asked anew whenever the subject was read again. */
export function WorldUsersList({ world, subject }: { readonly world: string; readonly subject: Subject }) {
  const [users, setUsers] = useState<WorldUsers | null>(null);
  useEffect(() => {
    let isCurrent = subject !== null;
    worldUsers(world).then(
      (found) => isCurrent && setUsers(found),
      (error) => warn('Who uses a lorebook could not be found out.', error),
    );
    return () => {
      isCurrent = false;
    };
  }, [world, subject]);
  if (users === null) return null;
  const lines = linesOf(users);
  return (
    <section aria-label={t`Used by`}>
      <h4>{t`Used by`}</h4>
      {lines.length === 0 ? (
        <p class="lf-muted">{t`Nobody: no character, chat or persona uses this lorebook.`}</p>
      ) : (
        <ul class="lf-rows">
          {lines.map((line) => (
            <li class="lf-row lf-row-plain lf-text" key={line}>
              {line}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function linesOf({ main, additional, chat, persona, everyChat }: WorldUsers): readonly string[] {
  return [
    ...(main.length === 0 ? [] : [t`Main lorebook of ${namesOf(main)}`]),
    ...(additional.length === 0 ? [] : [t`Additional lorebook of ${namesOf(additional)}`]),
    ...(chat ? [t`This chat`] : []),
    ...(persona ? [t`Your persona`] : []),
    ...(everyChat ? [t`Every chat (global)`] : []),
  ];
}

const MOST_NAMES = 20;

function namesOf(characters: readonly CharacterName[]): string {
  const names = characters.slice(0, MOST_NAMES).map(({ name }) => name.slice(0, 80));
  const more = characters.length - names.length;
  return more > 0 ? t`${names.join(', ')} and ${more} more` : names.join(', ');
}
