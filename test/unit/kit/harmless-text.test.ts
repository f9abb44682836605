import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { harmlessText } from "../../../src/kit/harmless-text.ts";

test.each([
  ["clears the screen", "M020\u001b[2J", "M020\\u001b[2J"],
  ["sets the window's title", "\u001b]0;paid\u0007", "\\u001b]0;paid\\u0007"],
  ["the same by one character (C1)", "\u009b2J", "\\u009b2J"],
  ["goes back to the start of the line", "declined\rapproved", "declined\\u000dapproved"],
  ["turns the reading direction", "\u202eDIV", "\\u202eDIV"],
  ["is half of a character", "a\ud800", "a\\ud800"],
])("text that %s is shown as text", (_, text, expected) => {
  expect(harmlessText(text)).toBe(expected);
});

test.each(["Müller & Söhne\t1,00 €\n", "\u001b[31mfail\u001b[0m", "a\r\nb", "日本 🙂"])("%j stays as it is", (text) => {
  expect(harmlessText(text)).toBe(text);
});

test("JSON stays the same value, whatever it holds", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(harmlessText(text))).toEqual(JSON.parse(text));
    }),
  );
});

test("what a command prints is harmless on both of its streams", () => {
  const program = `
    import { systemOutput } from "./src/commands/system-output.ts";
    const output = systemOutput(() => process.exit(3));
    output.out("usb M020\\u001b[2J");
    output.err("usb M020\\u001b[2J");
  `;
  const both = execFileSync("sh", ["-c", 'exec "$0" --input-type=module -e "$1" 2>&1', process.execPath, program], {
    encoding: "utf8",
  });
  expect(both).toBe("usb M020\\u001b[2J\n".repeat(2));
});
