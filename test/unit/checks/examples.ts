import type { Check } from "../../../src/checks/check.ts";
import type { Findings, OutsideFindings } from "../../../src/checks/findings.ts";
import { device, node } from "./device.ts";

const DAY = 86_400_000;
export const NOW = Date.UTC(2026, 0, 15);
const AUTHORITY = "posbridge authority bridge.shop.example 66263377";

/** Of a bridge on which nothing is wrong. */
export const well: Findings = {
  environment: "live",
  runtime: { version: "24.21.0" },
  folder: { path: "/var/lib/posbridge", owner: { uid: 998, name: "posbridge" }, user: 998, mode: 0o700 },
  journal: { bytes: 5_300_000, facts: 196, rolledBack: false },
  disk: { freeBytes: 9_000_000_000, allBytes: 16_000_000_000 },
  gateway: { address: "https://gateway.example", answered: true, tookMs: 38.4, clockAheadMs: -900 },
  credentials: { is: "let-in" },
  terminals: [{ id: "till-1", model: "miura-m020", state: "ready" }],
  devices: [device()],
  port: { host: "0.0.0.0", port: 7717, tls: { validFrom: NOW - DAY, validTo: NOW + 90 * DAY, now: NOW } },
  authority: { is: "sound", subject: AUTHORITY, validTo: NOW + 3_000 * DAY, now: NOW },
  log: { linesLost: 0 },
  reload: { needsRestart: [] },
};

const { journal, gateway, port } = well;
const expiring = (validTo: number, validFrom = NOW - DAY) => ({
  port: { ...port, tls: { validFrom, validTo, now: NOW } },
});

const lasting = { validFrom: NOW - DAY, validTo: NOW + 90 * DAY, now: NOW };
const authority = (days: number) => ({
  authority: { is: "sound", subject: AUTHORITY, validTo: NOW + days * DAY, now: NOW } as const,
});

export const shut = node({ permitted: false, inGroup: "no" });
const untold = { gateway: { address: "https://g", answered: true, tookMs: 1 } };
const absent = { is: "absent", places: ["/etc/posbridge/posbridge.yaml"] } as const;

/** Every finding that is not ok: its name, its state, what was found, and a part of what is said of it. */
export const WRONG: readonly (readonly [
  name: string,
  state: Check["state"],
  found: Partial<Findings & OutsideFindings>,
  text: string,
])[] = [
  ["configuration", "warn", { configuration: absent }, "There is no configuration (/etc/posbridge/posbridge.yaml)."],
  [
    "configuration",
    "fail",
    {
      configuration: {
        is: "wrong",
        file: "c.yaml",
        problems: [{ where: "c.yaml:4: merchant.country", problem: "is missing", mend: "Add it: country: DE" }],
      },
    },
    "c.yaml:4: merchant.country is missing.",
  ],
  [
    "runtime",
    "fail",
    { runtime: { version: "24.21.0", addonProblem: "no folder allows it" } },
    "cannot be loaded: no folder allows it.",
  ],
  ["user", "warn", { user: { isRoot: true, owner: { uid: 998, name: "posbridge" } } }, "This is root"],
  [
    "bridge",
    "warn",
    { bridge: { is: "running", pid: 7, version: "0.1.0", own: "0.2.0" } },
    "posbridge 0.1.0 runs (pid 7), and this command is of version 0.2.0.",
  ],
  [
    "bridge",
    "fail",
    { bridge: { is: "silent", problem: "it did not answer within 10 s" } },
    "does not answer: it did not answer within 10 s.",
  ],
  [
    "journal",
    "fail",
    { journal: { atRest: "refused", problem: "journal.witness is missing" } },
    "would not be opened: journal.witness is missing.",
  ],
  [
    "journal",
    "fail",
    { journal: { atRest: "sound", bytes: 1, facts: 1, open: 0, rolledBack: true } },
    "put back to an earlier moment",
  ],
  ["device till-1", "fail", { devices: [device({ isHere: false })] }, "Nothing is at /dev/ttyACM0."],
  [
    "device till-1",
    "fail",
    { devices: [device({ node: shut })] },
    "posbridge may not open /dev/ttyACM0 (group dialout, mode 0660).",
  ],
  [
    "device till-1",
    "fail",
    { devices: [device({ node: { ...shut, inGroup: "after-login" } })] },
    "posbridge may not open",
  ],
  [
    "device till-1",
    "fail",
    { devices: [device({ kind: "usb", hasRules: false, node: { ...shut, groupMay: false } })] },
    "posbridge may not open",
  ],
  [
    "device till-1",
    "fail",
    { devices: [device({ node: node({ holders: [{ pid: 7, name: "minicom" }] }) })] },
    "/dev/ttyACM0 is held by minicom (pid 7).",
  ],
  [
    "device till-1",
    "warn",
    { devices: [device({ takers: ["ModemManager"], hasRules: false })] },
    "ModemManager runs on this machine and may take /dev/ttyACM0 for a modem.",
  ],
  ["device till-1", "warn", { devices: [device({ takers: ["brltty"] })] }, "for a Braille display."],
  [
    "device till-1",
    "warn",
    { devices: [device({ stableName: "/dev/serial/by-id/x" })] },
    "may be another device after the next start",
  ],
  [
    "device /dev/ttyUSB0",
    "fail",
    { devices: [{ kind: "serial", name: "/dev/ttyUSB0", isHere: true, node: shut, takers: [], hasRules: true }] },
    "may not open",
  ],
  [
    "device till-1",
    "fail",
    { devices: [device({ kind: "usb", node: { ...shut, groupMay: false } })] },
    "posbridge may not open",
  ],
  ["clock", "fail", { ...untold, time: { now: Date.UTC(1970, 0, 2) } }, "which is long ago."],
  ["clock", "warn", { ...untold, time: { now: NOW, synchronized: false } }, "does not keep it by NTP."],
  ["clock", "warn", { ...untold, time: { now: NOW } }, "nothing on this machine tells whether that is right."],
  ["devices", "warn", { devices: [], configuration: absent }, "Nothing is plugged in"],
  [
    "device till-2",
    "fail",
    { addresses: [{ terminal: "till-2", address: "192.168.1.20:6543", answered: false, detail: "ECONNREFUSED" }] },
    "192.168.1.20:6543 takes no connection (ECONNREFUSED).",
  ],
  [
    "port",
    "fail",
    { port: { host: "127.0.0.1", port: 7717, atRest: "taken" } },
    "127.0.0.1:7717 is taken by another program.",
  ],
  [
    "port",
    "warn",
    {
      port: {
        host: "127.0.0.1",
        port: 7717,
        atRest: "taken",
        servedBy: { reasons: ["there is no configuration yet"] },
      },
    },
    "127.0.0.1:7717 is served by a posbridge already: it is not ready (there is no configuration yet).",
  ],
  [
    "port",
    "warn",
    { port: { host: "127.0.0.1", port: 7717, atRest: "taken", servedBy: { reasons: [] } } },
    "served by a posbridge already: it sells.",
  ],
  [
    "bridge",
    "warn",
    { bridge: { is: "hidden", dataDir: "/var/lib/posbridge", owner: { uid: 998, name: "posbridge" } } },
    "This user may not look into /var/lib/posbridge",
  ],
  [
    "journal",
    "warn",
    { journal: { atRest: "sound", bytes: 4096, facts: 9, open: 2, rolledBack: false } },
    "2 payments are open.",
  ],
  [
    "port",
    "fail",
    { port: { host: "127.0.0.1", port: 717, atRest: "no-permission" } },
    "may not listen on 127.0.0.1:717.",
  ],
  [
    "port",
    "fail",
    { port: { host: "192.0.2.1", port: 7717, atRest: "no-address" } },
    "192.0.2.1 is no address of this machine.",
  ],
  [
    "webhook-port",
    "fail",
    { webhookPort: { host: "127.0.0.1", port: 7719, atRest: "taken" } },
    "127.0.0.1:7719 is taken",
  ],
  [
    "runtime",
    "fail",
    { runtime: { version: "20.1.0", problem: "Node 20.1.0 is not supported" } },
    "Node 20.1.0 cannot run the bridge.",
  ],
  [
    "data-folder",
    "fail",
    { folder: { path: "/d", owner: { uid: 0, name: "root" }, user: 998, mode: 0o700 } },
    "belongs to root and this is user 998",
  ],
  [
    "data-folder",
    "fail",
    { folder: { path: "/d", owner: { uid: 998, name: "posbridge" }, user: 0, mode: 0o700 } },
    "belongs to posbridge, and this is root",
  ],
  [
    "data-folder",
    "fail",
    { folder: { path: "/d", owner: { uid: 998, name: "posbridge" }, user: 998, mode: 0o750 } },
    "open to others (mode 0750)",
  ],
  ["data-folder", "fail", { folder: { problem: "EACCES" } }, "EACCES"],
  [
    "data-folder",
    "fail",
    { folder: { path: "C:\\d", openTo: "Users (S-1-5-32-545)", close: "icacls C:\\d" } },
    "C:\\d is open to Users (S-1-5-32-545).",
  ],
  [
    "data-folder",
    "warn",
    { folder: { path: "C:\\d", untold: "icacls told nothing" } },
    "Nobody can tell who may read C:\\d: icacls told nothing.",
  ],
  [
    "journal",
    "fail",
    { journal: { ...journal, writeProblem: "the disk is full; make room." } },
    "takes no writes: the disk is full; make room.",
  ],
  ["journal", "fail", { journal: { ...journal, rolledBack: true } }, "put back to an earlier moment"],
  ["disk", "warn", { disk: { freeBytes: 499_999_999, allBytes: 16_000_000_000 } }, "500 MB of 16.0 GB are free"],
  ["disk", "fail", { disk: { freeBytes: 49_999_999, allBytes: 16_000_000_000 } }, "50 MB of 16.0 GB"],
  ["disk", "warn", { disk: { problem: "ENOSYS" } }, "ENOSYS"],
  ["clock", "warn", { gateway: { ...gateway, clockAheadMs: 30_000 } }, "30 s behind the gateway's"],
  ["clock", "fail", { gateway: { ...gateway, clockAheadMs: -300_000 } }, "5 minutes ahead of the gateway's"],
  ["clock", "warn", { gateway: { address: "https://g", answered: true, tookMs: 1 } }, "could not be held against"],
  [
    "gateway",
    "fail",
    { gateway: { address: "https://g", answered: false, detail: "ECONNREFUSED", tookMs: 1 } },
    "https://g does not answer: ECONNREFUSED.",
  ],
  ["gateway", "warn", { gateway: { ...gateway, tookMs: 2_001 } }, "answered in 2001 ms"],
  [
    "gateway-credentials",
    "fail",
    { credentials: { is: "not-let-in", resultCode: "800.900.300" } },
    "does not accept the bridge (code 800.900.300)",
  ],
  [
    "gateway-credentials",
    "warn",
    { credentials: { is: "refused", resultCode: "200.300.404" } },
    "refused the query (code 200.300.404)",
  ],
  [
    "gateway-credentials",
    "warn",
    { credentials: { is: "no-answer", detail: "HTTP 502" } },
    "did not answer the query: HTTP 502",
  ],
  ["gateway-credentials", "warn", { credentials: { is: "throttled" } }, "two queries a minute"],
  ["gateway-credentials", "warn", { credentials: { is: "not-asked" } }, "two queries a minute"],
  ["terminals", "warn", { terminals: [] }, "No terminal is set up."],
  [
    "terminal till-2",
    "fail",
    { terminals: [{ id: "till-2", model: "m", state: "offline", reason: "no such device" }] },
    "m is offline: no such device.",
  ],
  [
    "terminal till-2",
    "fail",
    { terminals: [{ id: "till-2", model: "m", state: "offline", reason: "is it switched on?" }] },
    "m is offline: is it switched on?",
  ],
  [
    "terminal till-2",
    "fail",
    { terminals: [{ id: "till-2", model: "m", state: "out-of-service", reason: "no keys" }] },
    "m is out-of-service: no keys.",
  ],
  ["port", "warn", expiring(NOW + 29 * DAY), "valid for 29 more days"],
  ["port", "fail", expiring(NOW - 1), "has expired"],
  ["port", "fail", expiring(NOW + DAY, NOW + 1), "not valid yet"],
  [
    "port",
    "warn",
    { port: { ...port, tls: { ...lasting, unnamed: ["bridge.shop.example", "192.168.1.20"] } } },
    "the certificate does not name bridge.shop.example, 192.168.1.20: registers that ask for these refuse it.",
  ],
  ["certificate-authority", "warn", authority(179), "66263377 is valid for 179 more days."],
  ["certificate-authority", "fail", authority(-1), "66263377 has ended."],
  [
    "certificate-authority",
    "fail",
    { authority: { is: "refused", problem: "authority.pem is open to others; run: chmod 600 authority.pem" } },
    "cannot be used: authority.pem is open to others; run: chmod 600 authority.pem.",
  ],
  ["log", "warn", { log: { linesLost: 3 } }, "3 lines of the log were lost"],
  [
    "reload",
    "warn",
    { reload: { needsRestart: ["gateway.baseUrl", "listen.port"] } },
    "these keys wait for a restart: gateway.baseUrl, listen.port.",
  ],
];
