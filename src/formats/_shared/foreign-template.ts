// Code in an entry's text that SillyTavern does not run.

/** The first piece of code in a text that SillyTavern leaves as it stands, or undefined. Most texts hold none. */
export const foreignTemplate = (content: string): string | undefined =>
  content.includes('{{') || content.includes('<%') ? FOREIGN_TEMPLATE.exec(content)?.[0] : undefined;

// EJS and variables of the extensions that run scripts, and RisuAI's blocks and functions. SillyTavern itself runs
// {{if}}, getvar and the other variable macros, also with the mark # (1.19, public/scripts/macros); what it does not know
// it leaves in the text.
const FOREIGN_TEMPLATE =
  /<%[=\-_#]?|\{\{#(?!if[\s:}]|(?:set|add)(?:global)?var)[a-z_]+|\{\{(?:equal|not_equal|greater|less|calc|tempvar|settempvar|contains)::|\{\{(?:get|format)_[a-z]+_variable::|\{\{\? /i;
