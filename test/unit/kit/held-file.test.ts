import { describe, expect, it } from "vitest";
import { whileHeld } from "../../../src/kit/held-file.ts";
import type { Platform } from "../../../src/kit/platform.ts";
import { platformOf } from "../../../src/kit/platform.ts";

function failing(code: string, times: number) {
  let tries = 0;
  return {
    tries: () => tries,
    step: () => {
      tries += 1;
      if (tries <= times) throw Object.assign(new Error(`${code}: rename`), { code });
      return "done";
    },
  };
}

function run(platform: Platform, code: string, times: number) {
  const pauses: number[] = [];
  const { step, tries } = failing(code, times);
  let outcome: string;
  try {
    outcome = whileHeld({ platform, pause: (ms) => pauses.push(ms) }, step);
  } catch (cause) {
    outcome = cause instanceof Error ? cause.message : "no error";
  }
  return { outcome, tries: tries(), waitedMs: pauses.reduce((sum, ms) => sum + ms, 0) };
}

describe("a step on a file that another program holds", () => {
  it.each<[Platform, string, number, object]>([
    ["windows", "EPERM", 3, { outcome: "done", tries: 4, waitedMs: 70 }],
    ["windows", "EACCES", 1, { outcome: "done", tries: 2 }],
    ["windows", "EBUSY", 7, { outcome: "done", tries: 8, waitedMs: 1000 }],
    ["windows", "EPERM", 8, { outcome: "EPERM: rename", tries: 8, waitedMs: 1000 }],
    ["windows", "ENOSPC", 1, { outcome: "ENOSPC: rename", tries: 1, waitedMs: 0 }],
    ["linux", "EPERM", 1, { outcome: "EPERM: rename", tries: 1, waitedMs: 0 }],
    ["bsd", "EACCES", 1, { outcome: "EACCES: rename", tries: 1, waitedMs: 0 }],
  ])("on %s, with %s %i times", (platform, code, times, expected) => {
    expect(run(platform, code, times)).toMatchObject(expected);
  });
});

it.each<[string, Platform]>([
  ["win32", "windows"],
  ["linux", "linux"],
  ["darwin", "bsd"],
  ["freebsd", "bsd"],
])("%s is %s", (name, platform) => {
  expect(platformOf(name)).toBe(platform);
});
