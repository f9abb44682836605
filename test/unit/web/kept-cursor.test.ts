import { expect, it } from "vitest";
import type { Kept } from "../../../src/web/bridge/browser-storage.ts";
import { keepCursor } from "../../../src/web/bridge/kept-cursor.ts";

function inMemory(text?: string): Kept {
  let kept = text;
  const set = (next: string | undefined): void => {
    kept = next;
  };
  return { get: () => kept, set };
}

it("a page keeps the furthest cursor that its bridge told", () => {
  const cursor = keepCursor(inMemory());
  expect(cursor.of("bridge-1")).toBeUndefined();
  cursor.told("bridge-1", "7");
  cursor.told("bridge-1", "9");
  // A change of the prompt alone carries the last cursor of its payment.
  cursor.told("bridge-1", "8");
  expect(cursor.of("bridge-1")).toBe("9");
});

it("another bridge at the same address is shown no cursor that it never told", () => {
  const cursor = keepCursor(inMemory());
  cursor.told("bridge-1", "9");
  expect(cursor.of("bridge-2")).toBeUndefined();
  cursor.told("bridge-2", "1");
  expect(cursor.of("bridge-2")).toBe("1");
});

it.each(["", "no json", '{"bridge":1}'])("what was kept by somebody else is no cursor: %s", (kept) => {
  expect(keepCursor(inMemory(kept)).of("bridge-1")).toBeUndefined();
});
