/** Runs tasks of one key one after the other, in order; different keys do not wait for each other. */
export type Turns = <T>(key: string, run: () => Promise<T>) => Promise<T>;

export function createTurns(): Turns {
  const last = new Map<string, Promise<undefined>>();
  return async (key, run) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(run);
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    last.set(key, settled);
    try {
      return await turn;
    } finally {
      if (last.get(key) === settled) last.delete(key);
    }
  };
}
