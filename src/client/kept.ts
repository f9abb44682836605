import { positionOf } from "../kit/cursor.ts";
import type { KeptCursor } from "./keep-bridge.ts";

/** A place for short texts that outlives the program. A browser's localStorage is one. */
export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
  removeItem(key: string): void;
}

/** Cursor and unfinished payments of a register, over restarts and page reloads. */
export interface Kept {
  readonly cursor: KeptCursor;
  /** References whose outcome was not heard yet, oldest first. */
  unfinished(): readonly string[];
  /** Written before the first frame of the payment is sent. Throws if the storage refuses. */
  begun(reference: string): void;
  ended(reference: string): void;
}

const OPEN = "posbridge-unfinished";
const cursorKey = (bridge: string): string => `posbridge-cursor-${bridge}`;

export function keptIn(storage: TextStorage): Kept {
  const unfinished = (): readonly string[] => referencesIn(storage.getItem(OPEN));
  const write = (references: readonly string[]): void =>
    references.length === 0 ? storage.removeItem(OPEN) : storage.setItem(OPEN, JSON.stringify(references));
  const without = (reference: string): readonly string[] => unfinished().filter((each) => each !== reference);
  const of = (bridge: string): string | undefined => storage.getItem(cursorKey(bridge)) ?? undefined;
  const told = (bridge: string, cursor: string): void => {
    const before = of(bridge);
    if (before === undefined || positionOf(cursor) > positionOf(before)) storage.setItem(cursorKey(bridge), cursor);
  };
  return {
    cursor: { of, told },
    unfinished,
    begun: (reference) => write([...without(reference), reference]),
    ended: (reference) => write(without(reference)),
  };
}

/** For a register without a storage: forgotten when it ends. */
export function memoryStorage(): TextStorage {
  const texts = new Map<string, string>();
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
  };
}

/** Damaged text counts as none: the register still has its own records. */
function referencesIn(text: string | null): readonly string[] {
  try {
    const read: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(read) ? read.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}
