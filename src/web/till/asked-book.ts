import { type Asked, askedSchema } from "./asked.ts";

/** The part of the browser's storage that the book needs. */
export type BookStorage = Pick<Storage, "length" | "key" | "getItem" | "setItem" | "removeItem">;

/**
 * Requests not put away yet, one storage key each, so windows never overwrite each other. Written before sending, so a
 * page closed at any moment finds its payment again.
 */
export interface AskedBook {
  /** Oldest first. */
  all(): readonly Asked[];
  /** False: the browser stores nothing, so nothing may be sent. */
  keep(asked: Asked): boolean;
  /** The bridge accepted the request; a later "not found" does not mean "never accepted". */
  accepted(reference: string): void;
  /** The next customer is served first. */
  laidAside(reference: string): void;
  drop(reference: string): void;
}

const PREFIX = "posbridge-till-asked:";

/** Accessing `storage` may throw if the browser forbids it. */
export function openBook(storage: () => BookStorage): AskedBook {
  const keep: AskedBook["keep"] = (asked) => {
    try {
      const text = JSON.stringify(asked);
      storage().setItem(PREFIX + asked.params.reference, text);
      return storage().getItem(PREFIX + asked.params.reference) === text;
    } catch {
      return false;
    }
  };
  const mark = (reference: string, name: "isAccepted" | "isLaidAside"): void => {
    try {
      const asked = read(storage().getItem(PREFIX + reference));
      if (asked !== undefined && asked[name] === undefined) keep({ ...asked, [name]: true });
    } catch {
      // An entry that was not stored needs no mark.
    }
  };
  return {
    keep,
    all: () => {
      try {
        return entriesOf(storage());
      } catch {
        return [];
      }
    },
    accepted: (reference) => mark(reference, "isAccepted"),
    laidAside: (reference) => mark(reference, "isLaidAside"),
    drop: (reference) => {
      try {
        storage().removeItem(PREFIX + reference);
      } catch {
        // An entry that was not stored needs no deletion.
      }
    },
  };
}

function entriesOf(storage: BookStorage): readonly Asked[] {
  const names = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? "").filter((name) =>
    name.startsWith(PREFIX),
  );
  return names
    .flatMap((name) => read(storage.getItem(name)) ?? [])
    .toSorted((one, other) => (one.at < other.at ? -1 : 1));
}

/** Undefined: written by an earlier version of this page, or by another program. */
function read(text: string | null): Asked | undefined {
  try {
    return askedSchema.parse(JSON.parse(text ?? ""));
  } catch {
    return undefined;
  }
}
