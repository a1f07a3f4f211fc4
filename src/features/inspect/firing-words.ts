// What a diagnosis says, in the few words of a row and in a sentence.

import type { Diagnosis } from '../../core/firing.ts';
import { t } from '../../host/context.ts';

/** At most 24 letters. */
export function firingShort({ reason }: Diagnosis): string {
  switch (reason) {
    case 'off':
      return t`Off`;
    case 'chance-zero':
      return t`Cannot fire: 0 %`;
    case 'no-key':
      return t`Cannot fire: no key`;
    case 'only-empty-keys':
      return t`Cannot fire: empty key`;
    case 'vectors-off':
      return t`Cannot fire: no vectors`;
    case 'filtered-out':
      return t`Not for this character`;
    case 'invalid-regex':
      return t`Invalid regex`;
    case 'dont-activate':
      return t`Cannot fire: decorator`;
    case 'scan-depth-zero':
      return t`Cannot fire: scans 0`;
    case 'empty-second-keys':
      return t`Cannot fire: 2nd keys`;
    case 'unknown-trigger':
      return t`Cannot fire: trigger`;
    case 'placed-nowhere':
      return t`No usable position`;
    case 'no-outlet-name':
      return t`No outlet name`;
    case 'no-content':
      return t`No text`;
    case 'blank-key':
      return t`Always on: blank key`;
    case 'speaker-key':
      return t`Always on: a name`;
    case 'any-text-key':
      return t`Always on: a regex`;
    case 'activate-decorator':
      return t`Always on: decorator`;
    case 'joined-keys':
      return t`Keys joined by commas?`;
    case 'foreign-template':
      return t`Code of an extension`;
  }
}

const MOST_LETTERS = 80;

/** One sentence that a person can act on. */
export function firingSentence({ reason, detail }: Diagnosis): string {
  const said = detail.length > MOST_LETTERS ? `${detail.slice(0, MOST_LETTERS)}…` : detail;
  switch (reason) {
    case 'off':
      return t`The entry is switched off.`;
    case 'chance-zero':
      return t`Its probability is 0 %, so it is never taken.`;
    case 'no-key':
      return t`No key and not constant, so nothing can start it.`;
    case 'only-empty-keys':
      return t`Its only keys are empty, and SillyTavern passes over empty keys.`;
    case 'vectors-off':
      return t`It has no key and waits for Vector Storage, which does not start lorebook entries now.`;
    case 'filtered-out':
      return t`Its character filter leaves this character out.`;
    case 'invalid-regex':
      return t`The key ${said} is not a valid regex, so SillyTavern looks for it letter by letter.`;
    case 'dont-activate':
      return t`The line @@dont_activate at its top keeps it from firing.`;
    case 'scan-depth-zero':
      return t`It scans 0 messages, so no key is ever found.`;
    case 'empty-second-keys':
      return t`It needs secondary keys that are empty, and an empty key is never found.`;
    case 'unknown-trigger':
      return t`It waits for a way of generating that SillyTavern does not have.`;
    case 'placed-nowhere':
      return t`It has no position that SillyTavern knows, so its text reaches no prompt.`;
    case 'no-outlet-name':
      return t`An outlet entry without an outlet name never reaches the prompt.`;
    case 'no-content':
      return t`It has no text, so nothing reaches the prompt.`;
    case 'blank-key':
      return t`A key of spaces only is found in every text, so it fires always.`;
    case 'speaker-key':
      return t`The key “${said}” stands in a speaker’s name, which begins nearly every message, so it fires nearly always.`;
    case 'any-text-key':
      return t`The key ${said} matches every text, so it fires always.`;
    case 'activate-decorator':
      return t`The line @@activate at its top makes it fire always.`;
    case 'joined-keys':
      return t`The key “${said}” looks like several keys joined by commas; SillyTavern looks for all of it at once.`;
    case 'foreign-template':
      return t`Its text holds ${said}, code that SillyTavern does not run by itself; without the extension it is shown as it is.`;
  }
}
