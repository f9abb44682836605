import fs from "node:fs";
import { expect, test } from "vitest";

const FOLDER = "config/browser-policies";
const page = fs.readFileSync("docs/browsers.md", "utf8");
const read = (name: string): string => fs.readFileSync(`${FOLDER}/${name}`, "utf8");

test("every policy file stands in docs/browsers.md", () => {
  for (const name of fs.readdirSync(FOLDER)) expect(page).toContain(`| \`${name}\` |`);
});

test("the policies of Chromium's family allow one origin to reach this machine, and nothing else", () => {
  expect(JSON.parse(read("chrome-edge.json"))).toEqual({ LoopbackNetworkAllowedForUrls: ["https://till.example"] });
  for (const [name, vendor] of [
    ["chrome-untried.reg", "Google\\Chrome"],
    ["edge-untried.reg", "Microsoft\\Edge"],
  ] as const)
    expect(read(name)).toBe(
      [
        "Windows Registry Editor Version 5.00",
        "",
        `[HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\${vendor}\\LoopbackNetworkAllowedForUrls]`,
        '"1"="https://till.example"',
        "",
      ].join("\r\n"),
    );
});

test("the policy of Firefox names the page's host alone", () => {
  expect(JSON.parse(read("firefox-untried.json"))).toEqual({
    policies: { LocalNetworkAccess: { SkipDomains: ["till.example"] } },
  });
});
