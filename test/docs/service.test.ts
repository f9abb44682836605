import fs from "node:fs";
import { expect, test } from "vitest";
import { RELOAD_TABLE } from "../../src/config/reload.ts";
import { systemdUnit } from "../../src/service/systemd.ts";

const page = fs.readFileSync("docs/service.md", "utf8");

test("docs/service.md says of every key what a reload does", () => {
  const rows = [...page.matchAll(/^\| (`[a-z].*`) \| (applies it|applies it, where [^|]+|restart to apply) \|$/gm)];
  const words = { now: "applies it", restart: "restart to apply" };
  const table = RELOAD_TABLE.map(({ keys, when }) => [
    keys.map((key) => `\`${key}\``).join(", "),
    typeof when === "string" ? words[when] : `applies it, where ${when.where}`,
  ]);
  expect(rows.map(([, keys, does]) => [keys, does])).toEqual(table);
});

test("docs/service.md names the watchdog's limit and the folders as the unit has them", () => {
  const unit = systemdUnit({ program: "/p", config: "/c", user: "posbridge", dataDir: "/var/lib/posbridge" });
  expect(unit).toMatch(/^WatchdogSec=60$/m);
  expect(page).toContain("has not spoken for 60 s");
  expect(unit).toMatch(/^StateDirectory=posbridge$/m);
  expect(unit).toMatch(/^LogsDirectory=posbridge$/m);
});
