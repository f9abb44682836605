import { expect, test } from "vitest";
import type { DriverOption } from "../../../src/terminal/driver.ts";
import { readOptions, usualOptions } from "../../../src/terminal/options.ts";

const DECLARED: readonly DriverOption[] = [
  { name: "baudRate", meaning: "speed of the serial line", allowed: /57600|115200/, usual: "115200" },
  { name: "pinKey", meaning: "slot of the PIN key", allowed: /[0-9]/, usual: "0" },
];

test("what is not given has its usual value", () => {
  expect(usualOptions(DECLARED)).toEqual({ baudRate: "115200", pinKey: "0" });
  expect(readOptions(DECLARED, { baudRate: "57600" })).toEqual({
    ok: true,
    options: { baudRate: "57600", pinKey: "0" },
  });
});

test.each([
  [DECLARED, { pinkey: "1" }, "has no option pinkey; it has baudRate, pinKey"],
  [[], { pinKey: "1" }, "has no option pinKey; it has none at all: remove it"],
  [DECLARED, { pinKey: "12" }, 'does not take "12" as option pinKey (slot of the PIN key); write for example "0"'],
  [
    DECLARED,
    { baudRate: "1115200" },
    'does not take "1115200" as option baudRate (speed of the serial line); write for example "115200"',
  ],
])("a wrong option is refused by name, with the mend: %#", (declared, given, problem) => {
  expect(readOptions(declared, given)).toEqual({ ok: false, problem });
});
