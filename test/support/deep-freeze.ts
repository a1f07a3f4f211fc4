// Inputs are frozen all the way down, so that any code that changes one in place throws (decisions 25).

/** Freezes a JSON value with everything in it and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const key of Object.keys(value)) deepFreeze((value as Record<string, unknown>)[key]);
  }
  return value;
}
