// The choices of an export and how one changes the others.

import type { ExportOption } from '../../core/exporter.ts';
import type { ExportChoices, ExportOffer, OfferedTarget } from './export-material.ts';

const SILLYTAVERN = 'sillytavern';

// Who carries one character to an app mostly carries the next one there too.
let lastTarget: string | null = null;

/** What is chosen at first: the ticked books for the app of last time, else for the first other app. */
export function firstChoices(offer: ExportOffer, wanted: string | undefined): ExportChoices {
  const { targets } = offer;
  const find = (id: string | null | undefined): OfferedTarget | undefined =>
    targets.find((target) => target.id === id);
  const target =
    find(wanted) ?? find(lastTarget) ?? targets.find(({ id }) => id !== SILLYTAVERN) ?? targets[0];
  return {
    ...ofTarget(target),
    style: 'natural',
    books: offer.books.filter(({ isTicked }) => isTicked).map(({ key }) => key),
  };
}

/** Another app: its usual form and version. Private fields are kept within SillyTavern only (decisions 26). */
export function withTarget(choices: ExportChoices, target: OfferedTarget): ExportChoices {
  lastTarget = target.id;
  return { ...choices, ...ofTarget(target) };
}

function ofTarget(target: OfferedTarget | undefined) {
  return {
    target: target?.id ?? '',
    form: target?.forms[0] ?? 'auto',
    version: target?.versions[0] ?? null,
    options: {},
    privateFields: target?.id === SILLYTAVERN ? 'keep' : 'drop',
  } as const;
}

/** The other style, with its usual options. */
export function withStyle(choices: ExportChoices, style: ExportChoices['style']): ExportChoices {
  return { ...choices, style, options: {} };
}

/** What is chosen of an option now. */
export const chosenOf = ({ options, style }: ExportChoices, { id, usual }: ExportOption): string =>
  options[id] ?? usual[style];

/** One book more or less, in the order of the offer. */
export function withBook(choices: ExportChoices, key: string, offer: ExportOffer): ExportChoices {
  const isIn = choices.books.includes(key);
  const books = offer.books
    .map((book) => book.key)
    .filter((each) => (each === key ? !isIn : choices.books.includes(each)));
  return { ...choices, books };
}
