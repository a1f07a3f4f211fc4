// Why an entry cannot fire, or fires more often than it looks: what a diagnosis says of it.

/** Why an entry is named: each is a sentence of the panel. */
export type FiringReason =
  // Nothing can start it.
  | 'off'
  | 'chance-zero'
  | 'no-key'
  | 'only-empty-keys'
  | 'vectors-off'
  | 'filtered-out'
  | 'invalid-regex'
  | 'dont-activate'
  | 'scan-depth-zero'
  | 'empty-second-keys'
  | 'unknown-trigger'
  // It starts, and its text reaches no prompt.
  | 'placed-nowhere'
  | 'no-outlet-name'
  | 'no-content'
  // It fires in every chat without being constant.
  | 'blank-key'
  | 'speaker-key'
  | 'any-text-key'
  | 'activate-decorator'
  // It works, though probably not as meant.
  | 'joined-keys'
  | 'foreign-template';

/** How bad it is: nothing starts it; it reaches no prompt; it always fires; it deserves a look. */
export type FiringKind = 'cannot-fire' | 'goes-nowhere' | 'always' | 'look';

/** One thing that a diagnosis says of an entry. `detail`: the key or text it is about, as written; untrusted. */
export interface Diagnosis {
  readonly kind: FiringKind;
  readonly reason: FiringReason;
  readonly detail: string;
}

/** Takes down one thing to be said of an entry. */
export type Say = (kind: FiringKind, reason: FiringReason, detail?: string) => void;
