import fc from "fast-check";
import { expect, it } from "vitest";
import { nearest } from "../../../src/config/did-you-mean.ts";

it.each([
  ["listn", ["listen", "origins"], "listen"],
  ["TIMEOUTS", ["timeouts"], "timeouts"],
  ["cardms", ["cardMs", "pinMs"], "cardMs"],
  ["colour", ["listen", "origins"], undefined],
  ["x", [], undefined],
  ["a".repeat(65), ["a".repeat(65)], undefined],
])("the word nearest to %s of %j is %s", (word, known, meant) => {
  expect(nearest(word, known)).toBe(meant);
});

it("a word with one letter left out finds itself", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{4,20}$/), fc.nat(), (word, at) => {
      const cut = at % word.length;
      expect(nearest(word.slice(0, cut) + word.slice(cut + 1), [word])).toBe(word);
    }),
  );
});
