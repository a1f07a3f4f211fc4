// An entry's place and fields in words for a person.

import type { LorebookEntry } from '../../core/lorebook.ts';
import { t } from '../../host/context.ts';

/** Where an entry stands and its order: "At depth 2, order 190". */
export function placeOf(entry: LorebookEntry): string {
  return t`${slotName(entry)}, order ${entry.order}`;
}

function slotName({ position }: LorebookEntry): string {
  const { slot, depth, outlet } = position;
  switch (slot) {
    case 'world':
    case 'prepend_top':
    case 'scene':
      return t`Before character`;
    case 'character':
    case 'append':
      return t`After character`;
    case 'note_top':
      return t`Top of author's note`;
    case 'note_bottom':
      return t`Bottom of author's note`;
    case 'depth':
    case 'append_bottom':
      return t`At depth ${depth}`;
    case 'before_example':
      return t`Before examples`;
    case 'after_example':
      return t`After examples`;
    case 'outlet':
      return t`Outlet “${outlet}”`;
  }
}

/** A field's name as SillyTavern's editor would say it; the first part of the path where there is no better. */
export function fieldName(path: string): string {
  switch (path) {
    case 'keys':
      return t`Keys`;
    case 'secondaryKeys':
      return t`Secondary keys`;
    case 'title':
      return t`Title`;
    case 'content':
      return t`Content`;
    case 'order':
      return t`Order`;
    case 'enabled':
      return t`On or off`;
    case 'constant':
      return t`Constant`;
    case 'logic':
    case 'selective':
      return t`Logic`;
    case 'vectorized':
      return t`Vectorized`;
    case 'triggers':
      return t`Triggers`;
    case 'characterFilter':
      return t`Character filter`;
    case 'ignoreBudget':
      return t`Budget`;
    case 'automationId':
      return t`Automation ID`;
  }
  const section = path.split('.')[0];
  switch (section) {
    case 'position':
      return t`Position`;
    case 'probability':
      return t`Probability`;
    case 'timing':
      return t`Timing`;
    case 'group':
      return t`Group`;
    case 'recursion':
      return t`Recursion`;
    case 'scan':
      return t`Scan options`;
    case 'sources':
      return t`Additional sources`;
    default:
      return path;
  }
}
