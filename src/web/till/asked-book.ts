import { type Asked, askedSchema } from "./asked.ts";

/** The part of the browser's storage that the book needs. */
export type BookStorage = Pick<Storage, "length" | "key" | "getItem" | "setItem" | "removeItem">;

/**
 * What was asked and not put away yet. Each stands under a name of its own, so that two windows of this till never write over each other.
 * It is written before anything is sent: a page that is closed at any moment finds its payment again.
 */
export interface AskedBook {
  /** Oldest first. */
  all(): readonly Asked[];
  /** False where the browser keeps nothing: then nothing may be sent. */
  keep(asked: Asked): boolean;
  /** The bridge has it: a later "not found" is no "never accepted". */
  accepted(reference: string): void;
  /** The next customer is served first. */
  laidAside(reference: string): void;
  drop(reference: string): void;
}

const PREFIX = "posbridge-till-asked:";

/** `storage` may throw when it is looked at, as that of a browser does which forbids it. */
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
      // What is not kept needs no mark.
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
        // What was not kept need not be dropped.
      }
    },
  };
}

function entriesOf(storage: BookStorage): readonly Asked[] {
  const names = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? "").filter((name) => name.startsWith(PREFIX));
  return names.flatMap((name) => read(storage.getItem(name)) ?? []).toSorted((one, other) => (one.at < other.at ? -1 : 1));
}

/** Undefined where an earlier version of this page, or somebody else, wrote it. */
function read(text: string | null): Asked | undefined {
  try {
    return askedSchema.parse(JSON.parse(text ?? ""));
  } catch {
    return undefined;
  }
}
