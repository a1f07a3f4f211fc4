// The exporters' own options in words.

import { t } from '../../host/context.ts';

/** An option, one of its choices, and in a sentence what that choice does. */
export interface OptionWords {
  readonly name: string;
  readonly choice: string;
  readonly sentence: string;
}

/** Puts an option with one of its choices into words; one without words goes by its own name. */
export function optionWords(id: string, choice: string): OptionWords {
  switch (`${id} ${choice}`) {
    case 'non-latin-keys off':
      return {
        name: t`Keys without Latin letters`,
        choice: t`Entry off`,
        sentence: t`Agnai finds Latin letters and digits only. An entry with no other key is off there; its text is kept.`,
      };
    case 'non-latin-keys always':
      return {
        name: t`Keys without Latin letters`,
        choice: t`Entry always on`,
        sentence: t`Agnai finds Latin letters and digits only. An entry with no other key is always in the prompt there.`,
      };
    case 'flatten-recursion off':
      return {
        name: t`Recursion`,
        choice: t`None`,
        sentence: t`Agnai searches the chat alone: an entry that only another entry’s text starts stays out.`,
      };
    case 'flatten-recursion on':
      return {
        name: t`Recursion`,
        choice: t`Add the keys`,
        sentence: t`An entry also gets the keys of the entries whose text starts it. Closer to SillyTavern, more keys to read.`,
      };
    case 'case-sensitive-keys pattern':
      return {
        name: t`Case-sensitive keys`,
        choice: t`As patterns`,
        sentence: t`Plain keys ignore case in RisuAI. As patterns they mind it, and are harder to read.`,
      };
    case 'case-sensitive-keys plain':
      return {
        name: t`Case-sensitive keys`,
        choice: t`As plain keys`,
        sentence: t`Easy to read and edit; they are found in capital and small letters alike.`,
      };
    default:
      return { name: id, choice, sentence: '' };
  }
}
