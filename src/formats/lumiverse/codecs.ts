// Values as Lumiverse writes them where no other app does so (1.1.0).

import type { Role } from '../../core/position.ts';
import { inWords } from '../_shared/app-codecs.ts';
import type { Codec } from '../_shared/codecs.ts';
import { text } from '../_shared/codecs.ts';
import { roleCodec } from '../_shared/lore-enums.ts';

/** Who speaks an entry: a word, or null where nobody chose, which is the system. */
export const speaker: Codec<Role> = inWords(roleCodec);

/** A text that is null when there is none. */
export const textOrNull: Codec<string> = { ...text, encode: (value) => (value === '' ? null : value) };
