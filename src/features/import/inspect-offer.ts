// "Inspect" in the results of imports: offered only while the panel is there to be opened, which is told from outside,
// so that imports need to know nothing of it.

/** What can be inspected from here. */
export type InspectTarget =
  | { readonly kind: 'character'; readonly avatar: string }
  | { readonly kind: 'world'; readonly name: string }
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly name: string };

/** Opens the panel. */
export type OpenInspection = (target: InspectTarget) => void;

let offered: OpenInspection | null = null;

/**
 * Lets results of imports offer "Inspect".
 * @returns a function that takes the offer back
 */
export function offerInspection(open: OpenInspection): () => void {
  offered = open;
  return () => {
    if (offered === open) offered = null;
  };
}

/** Opens the panel, or null when there is none to be opened. */
export function inspection(): OpenInspection | null {
  return offered;
}
