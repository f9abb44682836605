import { expect, test } from "vitest";
import {
  createMemory,
  emptyMemoryImage,
  type MemoryImage,
  memoryImageSchema,
} from "../../../packages/sandbox/testbed/memory.ts";

test("a card's counter rises by one and starts behind the first value that was asked for", () => {
  const memory = createMemory(emptyMemoryImage, { firstAtc: 100 });
  expect([memory.nextAtc("a"), memory.nextAtc("a"), memory.nextAtc("b")]).toEqual([101, 102, 101]);
});

test("the counter wraps from FFFF to 1", () => {
  const memory = createMemory({ cards: { a: { atc: 0xffff, typed: 0, wrongPins: 0 } }, ksn: {} });
  expect(memory.nextAtc("a")).toBe(1);
});

test("every change tells an image that goes on where it stopped", () => {
  let image: MemoryImage = emptyMemoryImage;
  const memory = createMemory(image, { changed: (next) => (image = next) });
  memory.nextAtc("a");
  memory.nextTyped("a");
  memory.setWrongPins("a", 2);
  memory.setKsn("sred", new Uint8Array(10));
  const again = createMemory(memoryImageSchema.parse(JSON.parse(JSON.stringify(image))));
  expect([again.nextAtc("a"), again.nextTyped("a"), again.wrongPins("a"), again.wrongPins("b")]).toEqual([2, 1, 2, 0]);
  expect(again.lastKsn("sred")).toEqual(new Uint8Array(10));
  expect(again.lastKsn("pin")).toBeUndefined();
});

test("an image that was kept before cards compared PINs themselves is read on", () => {
  const image = memoryImageSchema.parse({ cards: { a: { atc: 7, typed: 2 } }, ksn: {} });
  expect(createMemory(image).wrongPins("a")).toBe(0);
});
