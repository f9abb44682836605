import type { z } from "zod";

/** Records beside the ledger: checkouts, links, webhooks, jobs. Unlike bookings, records may be rewritten. */
export interface RecordStore {
  record(kind: string, id: string): string | undefined;
  /** All of that kind, in the order of first storage. */
  records(kind: string): readonly string[];
  keep(kind: string, id: string, json: string): void;
  forget(kind: string, id: string): void;
}

/** Records of one kind, parsed by its schema. */
export interface Collection<T> {
  get(id: string): T | undefined;
  all(): readonly T[];
  put(id: string, value: T): void;
  remove(id: string): void;
}

export function collectionOf<T>(store: RecordStore, kind: string, schema: z.ZodType<T>): Collection<T> {
  const read = (json: string): T => schema.parse(JSON.parse(json));
  return {
    get(id) {
      const json = store.record(kind, id);
      return json === undefined ? undefined : read(json);
    },
    all: () => store.records(kind).map(read),
    put: (id, value) => store.keep(kind, id, JSON.stringify(value)),
    remove: (id) => store.forget(kind, id),
  };
}
