// The 5,000-entry book of case 88, made from its recipe.

import type { JsonObject } from '../../src/core/json.ts';

/** Makes a book by the recipe: so many entries, four keys and 400 characters each, positions 0 to 7 in turn. */
export function hugeBook(entries = 5000): JsonObject {
  const sentence = 'The harbour light turns over wet slate roofs and the ferry answers twice. ';
  return {
    name: 'Huge Quay',
    extensions: {},
    entries: Array.from({ length: entries }, (_, id) => {
      const position = id % 8;
      return {
        id,
        keys: [0, 1, 2, 3].map((key) => `quay ${id} ${key}`),
        secondary_keys: id % 5 === 0 ? [`tide ${id}`] : [],
        comment: `Entry ${id}`,
        content: `${id} ${sentence.repeat(6)}`.slice(0, 400),
        constant: false,
        selective: true,
        insertion_order: 100 + (id % 50),
        enabled: id % 11 !== 0,
        position: position === 0 ? 'before_char' : 'after_char',
        use_regex: true,
        extensions: {
          position,
          exclude_recursion: false,
          display_index: id,
          probability: 100,
          useProbability: true,
          depth: position === 4 ? id % 9 : 4,
          selectiveLogic: id % 4,
          outlet_name: position === 7 ? `outlet ${id % 3}` : '',
          group: '',
          group_override: false,
          group_weight: 100,
          prevent_recursion: false,
          delay_until_recursion: false,
          scan_depth: null,
          match_whole_words: null,
          use_group_scoring: false,
          case_sensitive: null,
          automation_id: '',
          role: id % 3,
          vectorized: false,
          sticky: null,
          cooldown: null,
          delay: null,
          match_persona_description: false,
          match_character_description: false,
          match_character_personality: false,
          match_character_depth_prompt: false,
          match_scenario: false,
          match_creator_notes: false,
          triggers: [],
          ignore_budget: false,
        },
      };
    }),
  };
}
