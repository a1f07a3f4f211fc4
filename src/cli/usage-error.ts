/** Something that the person at the terminal has to change; the message is one sentence for stderr. */
export class UsageError extends Error {}
