// Apps, forms and books in words.

import { appName } from '../../formats/app-names.ts';
import { t } from '../../host/context.ts';
import type { ExportOffer, OfferedBook, OfferedForm } from './export-material.ts';

/** An app's name, and in one sentence what it can hold. */
export const targetWords = (id: string): { readonly name: string; readonly sentence: string } => ({
  name: appName(id),
  sentence: sentenceOf(id),
});

function sentenceOf(id: string): string {
  switch (id) {
    case 'sillytavern':
      return t`Everything, including what its own export leaves out.`;
    case 'risu':
      return t`Keys, order, depth and role. No groups or timing; outlets need a marker in your prompt.`;
    case 'agnai':
      return t`One memory block with keys and order. No positions, second keys or probability.`;
    case 'marinara':
      return t`Before, after and depth, with logic, timing and groups. No author’s note; outlets from 2.4 on.`;
    case 'lumiverse':
      return t`Nearly every field. The author’s note slots stand elsewhere there.`;
    case 'rolecall':
      return t`Experimental. Several books, with slots of its own. No author’s note, no outlets.`;
    default:
      return '';
  }
}

/** A form's name, and in one sentence what it is. */
export function formWords(
  form: OfferedForm,
  target: string,
  { isCard, hasPicture }: Pick<ExportOffer, 'isCard' | 'hasPicture'>,
): { readonly name: string; readonly sentence: string } {
  const { name: app } = targetWords(target);
  switch (form) {
    case 'auto':
      return {
        name: t`Best fit`,
        sentence:
          target === 'lumiverse'
            ? t`A card with the lorebook inside; several lorebooks in a CharX, where each stays by itself.`
            : t`A card with the lorebooks inside, or lorebook files beside it where an entry needs what a card cannot hold.`,
      };
    case 'png':
      return {
        name: t`PNG`,
        sentence: hasPicture
          ? t`The picture is kept byte for byte, with the lorebooks inside.`
          : t`A blank picture with the card and its lorebooks inside.`,
      };
    case 'json':
      return { name: t`JSON`, sentence: t`The card and its lorebooks as text, without the picture.` };
    case 'charx':
      return {
        name: t`CharX`,
        sentence:
          target === 'lumiverse'
            ? t`A zip archive with the card, the picture and each lorebook by itself.`
            : t`A zip archive with the card and the picture.`,
      };
    case 'native':
      return { name: t`Native`, sentence: t`The character as ${app}’s own file.` };
    case 'lorebook':
      return isCard
        ? { name: t`Lorebooks`, sentence: t`No character: each lorebook as ${app}’s own file.` }
        : {
            name: target === 'sillytavern' ? t`World file` : t`Lorebook file`,
            sentence: t`The lorebook as ${app}’s own file.`,
          };
    case 'book':
      return { name: t`Card’s book`, sentence: t`The lorebook as it would stand in a character card.` };
  }
}

/** What a book is to the character. */
export function bookWords({ roles, drift }: OfferedBook): string {
  const words = roles.map(roleWord).filter(Boolean);
  if (drift !== 0 && roles.includes('linked'))
    words.push(drift === null ? t`the card’s copy differs` : t`the card’s copy differs in ${drift}`);
  return words.join('; ');
}

function roleWord(role: OfferedBook['roles'][number]): string {
  switch (role) {
    case 'linked':
      return t`Linked world file`;
    case 'additional':
      return t`Additional book of this character`;
    case 'chat':
      return t`Book of this chat`;
    case 'persona':
      return t`Book of your persona`;
    case 'global':
      return t`Active in every chat`;
    case 'card':
      return t`In the card, no world file is linked`;
    case 'alone':
      return '';
  }
}
