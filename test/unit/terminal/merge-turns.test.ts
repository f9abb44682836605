import { expect, test } from "vitest";
import { followedBy, NO_TIMERS, type Timers, timersOver } from "../../../src/terminal/merge-turns.ts";

test("one list follows the other, and what one alone has is handed on as it is", () => {
  const [one, two] = [[1, 2], [3]];
  expect(followedBy(one, two)).toEqual([1, 2, 3]);
  expect(followedBy(one, [])).toBe(one);
  expect(followedBy(one, undefined)).toBe(one);
  expect(followedBy([], two)).toBe(two);
  expect(followedBy(undefined, undefined)).toEqual([]);
});

test("of two timers of one name the later word counts", () => {
  const before: Timers = { answer: 5, card: "clear" };
  expect(timersOver(before, { answer: "clear" })).toEqual({ answer: "clear", card: "clear" });
  expect(timersOver(before, undefined)).toBe(before);
  expect(timersOver(before, NO_TIMERS)).toBe(before);
  expect(timersOver<Timers>(NO_TIMERS, before)).toBe(before);
});
