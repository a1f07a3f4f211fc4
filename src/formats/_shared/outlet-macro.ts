// SillyTavern's macro that shows the entries of an outlet: {{outlet::NAME}} (1.19).

const OUTLET = /\{\{\s*outlet::([^{}]*)\}\}/gi;

/** The names of the outlets that a text shows. */
export const outletsIn = (text: string): readonly string[] =>
  [...text.matchAll(OUTLET)].map(([, name = '']) => name.trim());

/** A text with each of these macros replaced by what is given for its name. */
export const replaceOutlets = (text: string, by: (name: string) => string): string =>
  text.replace(OUTLET, (_, name: string) => by(name.trim()));
