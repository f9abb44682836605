import fc from "fast-check";
import { expect, test } from "vitest";
import { readKeys } from "../../../src/simulator/panel.ts";
import { SimulatorProblem } from "../../../src/simulator/simulator-problem.ts";

test.each([
  ["1234", ["1", "2", "3", "4"]],
  ["12 enter", ["1", "2", "ENTER"]],
  [
    ["12", "CLEAR", "3", "CANCEL"],
    ["1", "2", "CLEAR", "3", "CANCEL"],
  ],
  ["", []],
])("the keys %j", (keys, expected) => {
  expect(readKeys(keys)).toEqual(expected);
});

test("whatever is given, there come keys or a problem that says what keys are", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.array(fc.string())), (keys) => {
      try {
        for (const key of readKeys(keys)) expect(key).toMatch(/^([0-9]|ENTER|CANCEL|CLEAR)$/);
      } catch (error) {
        expect(error).toBeInstanceOf(SimulatorProblem);
      }
    }),
  );
});
