// What `loreferry --help` prints. What an app can be written as is asked of its exporter.

import { appName } from '../formats/app-names.ts';
import { EXPORTERS } from '../formats/exporters.ts';
import { TARGETS } from '../formats/registry.ts';

const ST_FORMS = ['png', 'json', 'charx', 'lorebook', 'book'];

const width = Math.max(...TARGETS.map((id) => id.length)) + 2;
const TARGET_LINES = TARGETS.map((id) => {
  const exporter = EXPORTERS.find((each) => each.id === id);
  const { forms = ST_FORMS, versions = [] } = exporter ?? {};
  const [usual, ...others] = versions;
  const version =
    usual === undefined ? '' : others.length === 0 ? ` ${usual}` : ` ${[usual, ...others].join(' or ')}`;
  // Its format has a version, and the app could not be run (decisions 32).
  const said = id === 'rolecall' ? ' (experimental)' : '';
  return `${id.padEnd(width)}${`${appName(id)}${version}${said}:`.padEnd(32)} ${forms.join(', ')}`;
});

// Each app's own options, the usual choice first where both styles have the same.
const OPTION_LINES = EXPORTERS.flatMap(({ id, options = [] }) =>
  options.map(({ id: name, choices, only }) => {
    const where = only === undefined ? '' : ` (style ${only})`;
    return `${id}: ${name}=${choices.join('|')}${where}`;
  }),
);

const lines = (all: readonly string[], indent: number): string => all.join(`\n${' '.repeat(indent)}`);

/** The text. */
export const HELP = `loreferry: carry characters and their lorebooks between apps

  loreferry inspect FILE [--json]
      what the file is, where its lorebooks stand, and where every entry lands
  loreferry extract FILE -o DIR [--force]
      the lorebooks as SillyTavern world info files, and the card linked to the first one
  loreferry convert FILE --to TARGET -o OUT [options]
      the character with its lorebooks, or a lorebook alone, for an app; what differs is listed

FILE is a card, a lorebook or a zip of several, of any of these apps. Of several files, and where
a target needs several, OUT is a folder.

  TARGET    with the version that is written for, and the forms that there are
    ${lines(TARGET_LINES, 4)}

  --as FORM            what is written; usually what OUT's ending says, else as FILE is
    png, json, charx   the card in a picture, as text, in a zip with its picture
    native             the character as the app's own file
    lorebook           no character: each lorebook as the app's own file
    book               no character: the lorebook as it stands in a card (sillytavern)

  --book WORLD.json    a world info file that belongs to the character; as often as there are.
                       The one that the card links takes the place of the card's own copy
  --settings FILE      SillyTavern's settings.json, or its world_info_settings; it may also hold
                       note_depth, and max_context with amount_gen
  --user NAME          the persona, for macros
  --avatar FILE.png    the character's file name in SillyTavern, for character filters
  --style STYLE        natural (usual): keys that a person can read and edit there
                       exact: the same decisions as SillyTavern, whatever the keys look like
  --target-version X   a version of the app, where there are several
  --option NAME=VALUE  what only one app's files leave to you
    ${lines(OPTION_LINES, 4)}
  --private keep|drop  character filters and automation ids, which name other things of yours:
                       kept for sillytavern, dropped for another app, unless you say otherwise
  --report FILE.json   what happened to every entry, with every value before and after
  --strict             exit status 1 when an entry is lost or only approximated
  --force              replace files that exist

  loreferry --version

Exit status: 0 done, 1 done with losses when --strict, 2 unusable input.
`;
