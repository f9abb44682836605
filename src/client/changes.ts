/** Gives each value to every loop that reads it, in order; a loop begins with the newest one. */
export interface Changes<T> extends AsyncIterable<T> {
  push(value: T): void;
  /** No more values will come; with an error, each loop throws it. */
  end(error?: Error): void;
}

interface Reader<T> {
  readonly waiting: T[];
  wake: () => void;
}

export function createChanges<T>(): Changes<T> {
  const readers = new Set<Reader<T>>();
  let newest: readonly T[] = [];
  let ended: { readonly error: Error | undefined } | undefined;

  async function* read(): AsyncGenerator<T, void, void> {
    const reader: Reader<T> = { waiting: [...newest], wake: () => undefined };
    readers.add(reader);
    try {
      for (;;) {
        const next = reader.waiting.shift();
        if (next !== undefined) yield next;
        else if (ended?.error !== undefined) throw ended.error;
        else if (ended !== undefined) return;
        else await new Promise<void>((resolve) => void Object.assign(reader, { wake: resolve }));
      }
    } finally {
      readers.delete(reader);
    }
  }

  return {
    [Symbol.asyncIterator]: read,
    push: (value) => {
      newest = [value];
      for (const reader of readers) {
        reader.waiting.push(value);
        reader.wake();
      }
    },
    end: (error) => {
      ended ??= { error };
      for (const { wake } of readers) wake();
    },
  };
}
