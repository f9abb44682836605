import { expect, it } from "vitest";
import type { Check } from "../../../src/checks/check.ts";
import type { Findings } from "../../../src/checks/findings.ts";
import { judge } from "../../../src/checks/judge.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 15);

/** Of a bridge on which nothing is wrong. */
const well: Findings = {
  environment: "live",
  runtime: { version: "24.21.0" },
  folder: { path: "/var/lib/posbridge", owner: 998, user: 998, mode: 0o700 },
  journal: { bytes: 5_300_000, facts: 196, rolledBack: false },
  disk: { freeBytes: 9_000_000_000, allBytes: 16_000_000_000 },
  gateway: { address: "https://gateway.example", answered: true, tookMs: 38.4, clockAheadMs: -900 },
  credentials: { is: "let-in" },
  terminals: [{ id: "till-1", model: "miura-m020", state: "ready" }],
  port: { host: "0.0.0.0", port: 7717, tls: { validFrom: NOW - DAY, validTo: NOW + 90 * DAY, now: NOW } },
  log: { linesLost: 0 },
};

const NAMES = ["runtime", "data-folder", "journal", "disk", "clock", "gateway", "gateway-credentials", "terminal till-1", "port", "log"];

it("finds nothing wrong where nothing is", () => {
  const checks = judge(well);
  expect(checks.map(({ name }) => name)).toEqual(NAMES);
  expect(checks.filter(({ state, fix }) => state !== "ok" || fix !== undefined)).toEqual([]);
});

const { journal, gateway, port } = well;
const expiring = (validTo: number, validFrom = NOW - DAY) => ({ port: { ...port, tls: { validFrom, validTo, now: NOW } } });

const WRONG: readonly (readonly [name: string, state: Check["state"], found: Partial<Findings>, text: string])[] = [
  ["runtime", "fail", { runtime: { version: "20.1.0", problem: "Node 20.1.0 is not supported" } }, "Node 20.1.0 cannot run the bridge."],
  ["data-folder", "fail", { folder: { path: "/d", owner: 0, user: 998, mode: 0o700 } }, "belongs to user 0, and the bridge runs as user 998"],
  ["data-folder", "fail", { folder: { path: "/d", owner: 998, user: 998, mode: 0o750 } }, "open to others (mode 0750)"],
  ["data-folder", "fail", { folder: { problem: "EACCES" } }, "EACCES"],
  ["data-folder", "fail", { folder: { path: "C:\\d", openTo: "Users (S-1-5-32-545)", close: "icacls C:\\d" } }, "C:\\d is open to Users (S-1-5-32-545)."],
  ["data-folder", "warn", { folder: { path: "C:\\d", untold: "icacls told nothing" } }, "Nobody can tell who may read C:\\d: icacls told nothing."],
  ["journal", "fail", { journal: { ...journal, writeProblem: "the disk is full; make room." } }, "takes no writes: the disk is full; make room."],
  ["journal", "fail", { journal: { ...journal, rolledBack: true } }, "put back to an earlier moment"],
  ["disk", "warn", { disk: { freeBytes: 499_999_999, allBytes: 16_000_000_000 } }, "500 MB of 16.0 GB are free"],
  ["disk", "fail", { disk: { freeBytes: 49_999_999, allBytes: 16_000_000_000 } }, "50 MB of 16.0 GB"],
  ["disk", "warn", { disk: { problem: "ENOSYS" } }, "ENOSYS"],
  ["clock", "warn", { gateway: { ...gateway, clockAheadMs: 30_000 } }, "30 s behind the gateway's"],
  ["clock", "fail", { gateway: { ...gateway, clockAheadMs: -300_000 } }, "5 minutes ahead of the gateway's"],
  ["clock", "warn", { gateway: { address: "https://g", answered: true, tookMs: 1 } }, "could not be held against"],
  ["gateway", "fail", { gateway: { address: "https://g", answered: false, detail: "ECONNREFUSED", tookMs: 1 } }, "https://g does not answer: ECONNREFUSED."],
  ["gateway", "warn", { gateway: { ...gateway, tookMs: 2_001 } }, "answered in 2001 ms"],
  ["gateway-credentials", "fail", { credentials: { is: "not-let-in", resultCode: "800.900.300" } }, "does not accept the bridge (code 800.900.300)"],
  ["gateway-credentials", "warn", { credentials: { is: "refused", resultCode: "200.300.404" } }, "refused the query (code 200.300.404)"],
  ["gateway-credentials", "warn", { credentials: { is: "no-answer", detail: "HTTP 502" } }, "did not answer the query: HTTP 502"],
  ["gateway-credentials", "warn", { credentials: { is: "throttled" } }, "two queries a minute"],
  ["gateway-credentials", "warn", { credentials: { is: "not-asked" } }, "two queries a minute"],
  ["terminals", "warn", { terminals: [] }, "No terminal is set up."],
  ["terminal till-2", "fail", { terminals: [{ id: "till-2", model: "m", state: "offline", reason: "no such device" }] }, "m is offline: no such device."],
  [
    "terminal till-2",
    "fail",
    { terminals: [{ id: "till-2", model: "m", state: "offline", reason: "is it switched on?" }] },
    "m is offline: is it switched on?",
  ],
  ["terminal till-2", "fail", { terminals: [{ id: "till-2", model: "m", state: "out-of-service", reason: "no keys" }] }, "m is out-of-service: no keys."],
  ["port", "warn", expiring(NOW + 29 * DAY), "valid for 29 more days"],
  ["port", "fail", expiring(NOW - 1), "has expired"],
  ["port", "fail", expiring(NOW + DAY, NOW + 1), "not valid yet"],
  ["log", "warn", { log: { linesLost: 3 } }, "3 lines of the log were lost"],
];

it.each(WRONG)("%s is %s with %j", (name, state, found, text) => {
  const wrong = judge({ ...well, ...found }).filter((one) => one.state !== "ok" && one.name === name);
  expect(wrong).toEqual([{ name, state, text: expect.stringContaining(text), fix: expect.stringMatching(/^[A-Z][^\n]{10,}$/) }]);
});

it.each<readonly [string, Partial<Findings>]>([
  ["terminal till-1", { terminals: [{ id: "till-1", model: "m", state: "busy" }] }],
  ["port", { port: { host: "127.0.0.1", port: 7717 } }],
  ["data-folder", { folder: { path: "C:\\posbridge" } }],
  ["journal", { journal: { ...journal, bytes: undefined } }],
])("%s is well with %j", (name, found) => {
  expect(judge({ ...well, ...found }).find((one) => one.name === name)?.state).toBe("ok");
});

it("says each thing as a sentence", () => {
  for (const [, , found] of WRONG) for (const { text } of judge({ ...well, ...found })) expect(text).toMatch(/^.+[^?]\.$|^.+\?$/);
});
