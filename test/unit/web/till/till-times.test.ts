import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { timeFormat } from "../../../../src/web/design/time-format.ts";
import { momentText, timeText } from "../../../../src/web/till/words.ts";

/** In the zone of the machine, whichever it is. */
const AFTERNOON = new Date(2026, 2, 1, 17, 16, 46).toISOString();

it("the till's times are of 24 hours, as on its receipts", () => {
  expect([timeText(AFTERNOON), momentText(AFTERNOON)]).toEqual([
    expect.stringContaining("17"),
    expect.stringMatching(/17.16$/),
  ]);
});

it.each(["en-US", "en-GB", "de-DE", "hi-IN"])("midnight is hour 0 in %s", (locale) => {
  const midnight = new Date(2026, 2, 1, 0, 5);
  expect(timeFormat({ hour: "2-digit", minute: "2-digit" }, locale).formatToParts(midnight)).toContainEqual({
    type: "hour",
    value: "00",
  });
});

it("no page writes a time in another way", () => {
  const sources = globSync("src/web/**/*.{ts,tsx}");
  expect(sources.length).toBeGreaterThan(50);
  const own = sources.filter((file) =>
    /DateTimeFormat\(|toLocale(?:Time|Date)?String\(/.test(readFileSync(file, "utf8")),
  );
  expect(own).toEqual(["src/web/design/time-format.ts"]);
});
