import fs from "node:fs";
import { describe, expect, test } from "vitest";

/**
 * What src/payment/README.md says of its neighbours is so: each file has its place in the reading order, and each case
 * its functions.
 */
const FOLDER = "src/payment";
const [order = "", cases = ""] =
  fs
    .readFileSync(`${FOLDER}/README.md`, "utf8")
    .split("## In which order to read it")[1]
    ?.split("## Where each case is decided") ?? [];
const files = fs.readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));

test("every file of the payment machine has one place in the reading order", () => {
  const named = [...order.matchAll(/`([a-z/-]+\.ts)`/g)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(files.toSorted());
});

describe("each case is decided where the table says", () => {
  const places = [...cases.matchAll(/`([a-z/-]+\.ts)`: ((?:`[A-Za-z]+`(?:, )?)+)/g)].map(
    ([, file = "", names = ""]) => ({
      file,
      names: [...names.matchAll(/`([A-Za-z]+)`/g)].map(([, name = ""]) => name),
    }),
  );

  test("the table has places", () => expect(places.length).toBeGreaterThan(50));

  test.each(places)("$file: $names", ({ file, names }) => {
    const source = fs.readFileSync(`${FOLDER}/${file}`, "utf8");
    for (const name of names)
      expect(source, name).toMatch(new RegExp(`^(?:export )?(?:function|const) ${name}\\b`, "m"));
  });
});
