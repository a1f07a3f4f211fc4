// The one way in which reading or writing a file fails.

/** A file that cannot be used. The message is one sentence that names the file and that a user can act on. */
export class ContainerError extends Error {
  override readonly name = 'ContainerError';
}

/**
 * The refusal of a file: `refusal('x.png', 'is empty')` says "x.png is empty."
 * The name comes from outside, so control and direction characters are taken out of it and it is cut to a length.
 */
export function refusal(fileName: string, what: string): ContainerError {
  return new ContainerError(`${shownName(fileName)} ${what}.`);
}

const SHOWN_NAME_LENGTH = 100;

function shownName(fileName: string): string {
  // Cc: control, Cf: invisible and direction characters, which could turn the sentence around.
  const clean = fileName
    .slice(0, 4 * SHOWN_NAME_LENGTH)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '')
    .trim();
  if (clean === '') return 'The file';
  const letters = [...clean];
  return letters.length > SHOWN_NAME_LENGTH ? `${letters.slice(0, SHOWN_NAME_LENGTH).join('')}...` : clean;
}
