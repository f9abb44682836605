/** Resolves once everything that already waits for this thread had its turn. */
export function afterOthers(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
