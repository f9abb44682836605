import { describe, expect, it } from "vitest";
import type { Findings, OutsideFindings } from "../../../src/checks/findings.ts";
import { judge } from "../../../src/checks/judge.ts";
import { device, node } from "./device.ts";
import { NOW, shut, WRONG, well } from "./examples.ts";

const NAMES = [
  "runtime",
  "data-folder",
  "journal",
  "disk",
  "clock",
  "gateway",
  "gateway-credentials",
  "terminal till-1",
  "device till-1",
  "port",
  "certificate-authority",
  "log",
];

it("finds nothing wrong where nothing is", () => {
  const checks = judge(well);
  expect(checks.map(({ name }) => name)).toEqual(NAMES);
  expect(checks.filter(({ state, fix }) => state !== "ok" || fix !== undefined)).toEqual([]);
});

const { journal } = well;

it.each(WRONG)("%s is %s with %j", (name, state, found, text) => {
  const wrong = judge({ ...well, ...found }).filter((one) => one.state !== "ok" && one.name === name);
  expect(wrong).toEqual([
    { name, state, text: expect.stringContaining(text), fix: expect.stringMatching(/^[A-Z][^\n]{10,}$/) },
  ]);
});

it.each<readonly [string, Partial<Findings & OutsideFindings>]>([
  ["configuration", { configuration: { is: "sound", file: "/etc/posbridge/posbridge.yaml" } }],
  ["bridge", { bridge: { is: "running", pid: 7, version: "0.1.0", own: "0.1.0" } }],
  ["bridge", { bridge: { is: "none" } }],
  ["data-folder", { folder: { path: "/var/lib/posbridge", missing: true } }],
  ["journal", { journal: { atRest: "none" } }],
  ["journal", { journal: { atRest: "sound", bytes: 4096, facts: 7, open: 0, rolledBack: false } }],
  ["device till-1", { devices: [device({ takers: ["ModemManager"] })] }],
  ["device till-1", { devices: [device({ kind: "usb", takers: ["ModemManager", "brltty"], hasRules: false })] }],
  [
    "device till-1",
    {
      devices: [
        device({ node: node({ path: "/dev/pts/3", holders: [{ pid: 7, name: "node" }] }), takers: ["brltty"] }),
      ],
    },
  ],
  [
    "device till-1",
    { devices: [{ kind: "serial", terminal: "till-1", name: "COM5", isHere: true, takers: [], hasRules: true }] },
  ],
  ["device till-2", { addresses: [{ terminal: "till-2", address: "192.168.1.20:6543", answered: true }] }],
  ["port", { port: { host: "::1", port: 7717, atRest: "free" } }],
  ["webhook-port", { webhookPort: { host: "127.0.0.1", port: 7719, atRest: "free" } }],
  ["terminal till-1", { terminals: [{ id: "till-1", model: "m", state: "busy" }] }],
  ["port", { port: { host: "127.0.0.1", port: 7717 } }],
  ["data-folder", { folder: { path: "C:\\posbridge" } }],
  ["journal", { journal: { ...journal, bytes: undefined } }],
])("%s is well with %j", (name, found) => {
  expect(judge({ ...well, ...found }).find((one) => one.name === name)?.state).toBe("ok");
});

it("judges nothing that was not looked at", () => expect(judge({})).toEqual([]));

it("tells root whose eyes count, and nobody else", () => {
  expect(judge({ user: { isRoot: true } })).toEqual([]);
  expect(judge({ user: { isRoot: false, owner: { uid: 998, name: "posbridge" } } })).toEqual([]);
});

it.each([
  [Date.UTC(1970, 0, 2), true, "fail"],
  [NOW, true, "ok"],
  [NOW, false, "warn"],
  [NOW, undefined, "warn"],
] as const)(
  "judges a clock by itself where no gateway tells the time (%s, NTP: %s): %s",
  (now, synchronized, state) => {
    expect(judge({ time: { now, ...(synchronized !== undefined && { synchronized }) } })).toMatchObject([
      { name: "clock", state },
    ]);
  },
);

it("names the command that gives the right to a device", () => {
  const fix = (one: Parameters<typeof device>[0]) => judge({ devices: [device(one)] })[0]?.fix;
  expect(fix({ node: shut })).toBe(
    "Run: sudo usermod -aG dialout posbridge; then log in again, or start the service again.",
  );
  expect(fix({ node: { ...shut, inGroup: "after-login" } })).toBe(
    "Log in again, or start the service again: posbridge is in the group dialout by now.",
  );
  expect(fix({ kind: "usb", hasRules: false, node: { ...shut, groupMay: false } })).toMatch(
    /^Install the udev rules \(sudo posbridge service install/,
  );
  expect(fix({ kind: "usb", node: { ...shut, groupMay: false } })).toMatch(/^The udev rules are there/);
});

it("says each thing as a sentence", () => {
  for (const [, , found] of WRONG)
    for (const { text } of judge({ ...well, ...found })) expect(text).toMatch(/^.+[^?]\.$|^.+\?$/);
});

describe("what belongs to somebody else", () => {
  const fixOf = (found: Parameters<typeof judge>[0]) => judge(found).map(({ fix }) => fix);

  it("is looked at by its owner, never given to root", () => {
    const folder = { path: "/d", owner: { uid: 998, name: "posbridge" }, user: 0, mode: 0o700 };
    expect(fixOf({ folder })).toEqual(["Run the command as that user, for example: sudo -u posbridge posbridge ..."]);
  });

  it("is named by a number that no shell takes for a comment", () => {
    expect(fixOf({ user: { isRoot: true, owner: { uid: 12_345 } } })).toEqual([
      "Let the bridge's user look: sudo -u '#12345' posbridge doctor --config FILE",
    ]);
  });
});
