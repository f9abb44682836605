import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { shopCommands } from "../../../src/commands/shop.ts";
import { windows } from "../../../src/service/windows.ts";
import { recordedOutput } from "../commands/recorded-output.ts";

const commands = shopCommands([]).map((make) => make(recordedOutput()));

/** No PowerShell runs here: what can be held against the product is. */
describe.each(["install.ps1", "uninstall.ps1"])("packaging/windows/%s", (name) => {
  const text = readFileSync(`packaging/windows/${name}`, "utf8");
  const settingOf = (variable: string): string | undefined =>
    new RegExp(`^\\$${variable} = "([^"]*)"$`, "m").exec(text)?.[1];

  it("names the places that the service has", () => {
    expect(settingOf("installed")?.replace("$folder", settingOf("folder") ?? "")).toBe(windows.program);
    expect(settingOf("data")).toBe(windows.dataDir);
    expect(settingOf("config") ?? windows.config).toBe(windows.config);
  });

  it("runs only commands that exist, and looks at how each ended", () => {
    const run = [...text.matchAll(/^ *& \$installed ([a-z -]+)/gm)].map(([, words = ""]) => words.trim().split(" "));
    expect(run.length).toBeGreaterThan(0);
    for (const [first, second] of run) {
      const command = commands.find((one) => one.name() === first);
      expect(command?.name()).toBe(first);
      if (second !== undefined) expect(command?.commands.map((one) => one.name())).toContain(second);
    }
  });

  it("is ASCII, which every PowerShell reads alike, and closes each brace", () => {
    expect([...text].filter((one) => one > "\u007f")).toEqual([]);
    for (const [open, close] of ["{}", "()", "[]"])
      expect(text.split(open ?? "").length).toBe(text.split(close ?? "").length);
  });
});
