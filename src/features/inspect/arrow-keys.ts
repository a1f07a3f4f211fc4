// Arrow keys in a group of which one is chosen: radios and tabs.

/**
 * Moves the choice with the arrow keys and the focus with it. The elements carry `data-choice="<id>"`.
 *
 * @param ids all choices in order
 * @param chosen the one that is chosen now
 * @param choose called with the next one
 */
export function onArrow<T extends string>(
  ids: readonly T[],
  chosen: T,
  choose: (id: T) => void,
): (event: KeyboardEvent) => void {
  return (event) => {
    const by = STEPS[event.key];
    if (by === undefined || ids.length === 0) return;
    event.preventDefault();
    const at = ids.indexOf(chosen);
    const edge = by === 'first' ? 0 : by === 'last' ? ids.length - 1 : (at + by + ids.length) % ids.length;
    const next = ids[edge] as T;
    choose(next);
    const group = event.currentTarget as HTMLElement;
    const choices = [...group.querySelectorAll<HTMLElement>('[data-choice]')];
    choices.find((each) => each.dataset['choice'] === next)?.focus();
  };
}

const STEPS: Readonly<Record<string, number | 'first' | 'last'>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  Home: 'first',
  End: 'last',
};
