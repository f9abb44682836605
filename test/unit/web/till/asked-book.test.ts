import { expect, it } from "vitest";
import { type BookStorage, openBook } from "../../../../src/web/till/asked-book.ts";
import { inMemory, someAsked } from "./some-asked.ts";

it("what was asked is found again by the next page, oldest first", () => {
  const storage = inMemory();
  openBook(() => storage).keep(someAsked("second", "2026-03-01T10:01:00.000Z"));
  openBook(() => storage).keep(someAsked("first", "2026-03-01T10:00:00.000Z"));
  expect(openBook(() => storage).all()).toEqual([
    someAsked("first", "2026-03-01T10:00:00.000Z"),
    someAsked("second", "2026-03-01T10:01:00.000Z"),
  ]);
});

it("two windows of one till never write over each other", () => {
  const storage = inMemory();
  const [one, other] = [openBook(() => storage), openBook(() => storage)];
  one.keep(someAsked("a"));
  other.keep(someAsked("b"));
  one.drop("a");
  expect(other.all().map(({ params }) => params.reference)).toEqual(["b"]);
});

it.each(["", "{", '{"call":"payment.cancel"}', "null"])("what somebody else wrote is left alone: %s", (text) => {
  const storage = inMemory({ "posbridge-till-asked:x": text, "other-page": "1" });
  expect(openBook(() => storage).all()).toEqual([]);
  expect(storage.getItem("posbridge-till-asked:x")).toBe(text);
});

it("a browser that keeps nothing says so before anything is sent", () => {
  const forbidden = openBook(() => {
    throw new Error("SecurityError");
  });
  expect(forbidden.keep(someAsked("a"))).toBe(false);
  expect(forbidden.all()).toEqual([]);
  const full: BookStorage = {
    ...inMemory(),
    setItem: () => {
      throw new Error("QuotaExceededError");
    },
  };
  expect(openBook(() => full).keep(someAsked("a"))).toBe(false);
});
