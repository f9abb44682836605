import type { Asked } from "../../../../src/web/till/asked.ts";
import type { BookStorage } from "../../../../src/web/till/asked-book.ts";

/** A browser's storage, without the browser. */
export function inMemory(first: Readonly<Record<string, string>> = {}): BookStorage {
  const items = new Map(Object.entries(first));
  return {
    get length() {
      return items.size;
    },
    key: (at) => [...items.keys()][at] ?? null,
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, text) => void items.set(name, text),
    removeItem: (name) => void items.delete(name),
  };
}

export function someAsked(reference: string, at = "2026-03-01T10:00:00.000Z"): Asked {
  const params = { reference, type: "SALE" as const, terminal: "till-1", currency: "EUR", amount: "12.34" };
  return {
    call: "payment.start",
    params,
    title: { type: "SALE", amount: "12.34", currency: "EUR" },
    register: "till",
    bridge: "b1",
    at,
  };
}
