import { foreignMend, foreignText } from "../kit/foreign-owner.ts";
import { type Check, fail, ok, warn } from "./check.ts";
import { type Findings, isSeen, type JournalFound, type OutsideFindings } from "./findings.ts";
import { judgeAddress, judgeDevices } from "./judge-devices.ts";
import { judgeBridge, judgeConfiguration, judgeTime, judgeUser } from "./judge-outside.ts";
import { judgeAuthority, judgePort, judgeWebhookPort } from "./judge-ports.ts";

/** Judges one part of the findings; empty if that part was not examined. */
type Judgement = (found: Partial<Findings & OutsideFindings>) => readonly Check[];

function about<K extends keyof (Findings & OutsideFindings)>(
  part: K,
  judge: (found: (Findings & OutsideFindings)[K]) => readonly Check[],
): Judgement {
  return ({ [part]: found }) => (found === undefined ? [] : judge(found));
}

const MEGABYTE = 1_000_000;
/** Below LITTLE_BYTES a day of logs and facts may not fit; below NO_ROOM_BYTES not even a sale. */
const LITTLE_BYTES = 500 * MEGABYTE;
const NO_ROOM_BYTES = 50 * MEGABYTE;
/** Beyond OFF_MS receipts show a wrong time; beyond FAR_OFF_MS cards and certificates are refused. */
const OFF_MS = 30_000;
const FAR_OFF_MS = 300_000;
/** Slower answers keep customers waiting for the network alone. */
const SLOW_MS = 2_000;

const runtime = about("runtime", ({ version, problem, addonProblem }) => {
  if (problem !== undefined) return [fail("runtime", `Node ${version} cannot run the bridge.`, sentence(problem))];
  if (addonProblem !== undefined)
    return [
      fail(
        "runtime",
        `Native code for serial lines and USB cannot be loaded: ${withoutStop(addonProblem)}.`,
        "Do what the text says; without it no terminal can be reached.",
      ),
    ];
  return [ok("runtime", `Node ${version}.`)];
});

const LOOK_BY_HAND =
  "See by hand that the bridge's user, the system and administrators alone may read it: icacls FOLDER.";

const dataFolder = about("folder", (folder) => {
  const name = "data-folder";
  if (!isSeen(folder))
    return [
      fail(
        name,
        `The data folder cannot be looked at: ${folder.problem}.`,
        "See that it exists and that the bridge's user may enter it.",
      ),
    ];
  if ("missing" in folder) return [ok(name, `${folder.path} is not there yet; the first start makes it.`)];
  if ("openTo" in folder)
    return [fail(name, `${folder.path} is open to ${folder.openTo}.`, `Close it: ${folder.close}`)];
  if ("untold" in folder)
    return [warn(name, `Nobody can tell who may read ${folder.path}: ${withoutStop(folder.untold)}.`, LOOK_BY_HAND)];
  if (!("mode" in folder))
    return [ok(name, `${folder.path}, closed to all but the bridge's user, the system and administrators.`)];
  const { path, owner, user, mode } = folder;
  if (owner.uid !== user)
    return [fail(name, `${path} ${foreignText(owner, user)}.`, capital(foreignMend(path, owner, user)))];
  const octal = mode.toString(8).padStart(4, "0");
  if ((mode & 0o077) !== 0)
    return [fail(name, `${path} is open to others (mode ${octal}).`, `Close it: chmod 700 ${path}`)];
  return [ok(name, `${path}, mode ${octal}, owned by the bridge's user.`)];
});

const journal = about("journal", (found) => {
  const name = "journal";
  if ("atRest" in found && found.atRest === "none")
    return [ok(name, "There is no journal yet; the first start makes it.")];
  if ("atRest" in found && found.atRest === "refused")
    return [
      fail(
        name,
        `The journal would not be opened: ${withoutStop(found.problem)}.`,
        "See the section for this message in docs/journal.md; nothing is sold from it meanwhile.",
      ),
    ];
  return judgeJournal(name, found);
});

const CONFIRM =
  "See what the gateway booked since: posbridge rollbacks list --json --config FILE; close those sales in the registers; then: posbridge rollbacks confirm --reason TEXT --config FILE (docs/backup.md, docs/journal.md)";

function judgeJournal(name: string, found: Extract<JournalFound, { readonly facts: number }>): readonly Check[] {
  const { bytes, facts, rolledBack } = found;
  const isAtRest = "atRest" in found;
  if (!isAtRest && found.writeProblem !== undefined)
    return [
      fail(
        name,
        `The journal takes no writes: ${withoutStop(found.writeProblem)}.`,
        "Do what the text says; no payment is accepted meanwhile.",
      ),
    ];
  if (rolledBack) {
    return [fail(name, "The data folder was put back to an earlier moment; no payment is accepted.", CONFIRM)];
  }
  const size = `${facts} facts${bytes === undefined ? "" : `, ${sizeText(bytes)}`}`;
  if (isAtRest && found.open > 0) {
    const many = found.open === 1 ? "A payment is" : `${found.open} payments are`;
    return [warn(name, `The journal is whole: ${size}. ${many} open.`, "Start the bridge: it finishes them.")];
  }
  return [
    ok(name, `The journal ${isAtRest ? "is whole" : "was written to just now"} and its witness agrees: ${size}.`),
  ];
}

const disk = about("disk", (found) => {
  const name = "disk";
  if (!isSeen(found))
    return [
      warn(
        name,
        `The disk cannot be looked at: ${found.problem}.`,
        "Look at the free space of the data folder's disk by hand.",
      ),
    ];
  const text = `${sizeText(found.freeBytes)} of ${sizeText(found.allBytes)} are free.`;
  const fix = "Make room on the data folder's disk.";
  if (found.freeBytes < NO_ROOM_BYTES) return [fail(name, text, fix)];
  return [found.freeBytes < LITTLE_BYTES ? warn(name, text, fix) : ok(name, text)];
});

const clock: Judgement = ({ gateway: asked, time }) => {
  const name = "clock";
  const clockAheadMs = asked?.clockAheadMs;
  if (clockAheadMs === undefined && time !== undefined) return [judgeTime(time)];
  if (asked === undefined) return [];
  if (clockAheadMs === undefined)
    return [
      warn(
        name,
        "The clock could not be held against the gateway's.",
        "Look at the check of the gateway; see that this machine keeps time by NTP.",
      ),
    ];
  const off = Math.abs(clockAheadMs);
  if (off < OFF_MS) return [ok(name, "The clock agrees with the gateway's.")];
  const text = `The clock is ${durationText(off)} ${clockAheadMs > 0 ? "behind" : "ahead of"} the gateway's.`;
  const fix =
    "Set this machine's clock, and have it keep time by NTP (Linux: timedatectl set-ntp true; Windows: w32tm /resync).";
  return [off < FAR_OFF_MS ? warn(name, text, fix) : fail(name, text, fix)];
};

const gateway = about("gateway", ({ address, answered, detail, tookMs }) => {
  const name = "gateway";
  if (!answered) {
    const why = detail === undefined ? "" : `: ${detail}`;
    return [
      fail(
        name,
        `${address} does not answer${why}.`,
        "Look at this machine's network, name server and firewall, and at gateway.baseUrl.",
      ),
    ];
  }
  const text = `${address} answered in ${Math.round(tookMs)} ms.`;
  return [
    tookMs > SLOW_MS
      ? warn(name, text, "Look at this machine's network: customers wait so long for each answer.")
      : ok(name, text),
  ];
});

const credentials = about("credentials", ({ is, resultCode, detail }) => {
  const name = "gateway-credentials";
  const code = resultCode === undefined ? "" : ` (code ${resultCode})`;
  const why = detail === undefined ? "" : `: ${detail}`;
  switch (is) {
    case "let-in":
      return [ok(name, "The gateway accepts the access token for the entity.")];
    case "not-let-in":
      return [
        fail(
          name,
          `The gateway does not accept the bridge${code}.`,
          "Look at gateway.accessTokenFile and gateway.entityId, and whether the gateway wants this machine's address.",
        ),
      ];
    case "refused":
      return [
        warn(
          name,
          `The gateway refused the query${code}.`,
          "Look at gateway.entityId, and ask the gateway's support with that code.",
        ),
      ];
    case "no-answer":
      return [
        warn(
          name,
          `The gateway did not answer the query${why}.`,
          "Look at the check of the gateway, and try again in a minute.",
        ),
      ];
    case "throttled":
    case "not-asked":
      return [
        warn(
          name,
          "The gateway was not asked: it takes two queries a minute, and payments go first.",
          "Try again in a minute.",
        ),
      ];
  }
});

const terminals = about("terminals", (all) => {
  if (all.length === 0)
    return [warn("terminals", "No terminal is set up.", "Add one to the configuration file, or pair one.")];
  return all.map(({ id, model, state, reason }) => {
    const name = `terminal ${id}`;
    const why = reason === undefined ? "" : `: ${reason}`;
    if (state === "ready" || state === "busy") return ok(name, `${model} is ${state}.`);
    const fix =
      state === "offline"
        ? "See that it is switched on and connected, then test it."
        : "Do what the text says, then test it.";
    return fail(name, stopped(`${model} is ${state}${why}`), fix);
  });
});

const log = about("log", ({ linesLost }) => {
  if (linesLost === 0) return [ok("log", "No line of the log was lost.")];
  return [
    warn(
      "log",
      `${linesLost} lines of the log were lost.`,
      "Look at whatever reads the bridge's output, and at the disk that it writes to.",
    ),
  ];
});

const reload = about("reload", ({ needsRestart }) => {
  if (needsRestart.length === 0) return [];
  const text = `The configuration was read anew, and these keys wait for a restart: ${needsRestart.join(", ")}.`;
  return [
    warn("reload", text, "Start the bridge again when it suits the shop: running payments end first, or are parked."),
  ];
});

/** In a technician's reading order. */
const JUDGEMENTS: readonly Judgement[] = [
  about("configuration", judgeConfiguration),
  runtime,
  about("user", judgeUser),
  about("bridge", judgeBridge),
  ...[dataFolder, journal, disk, clock, gateway, credentials, terminals],
  ({ devices, configuration }) => (devices === undefined ? [] : judgeDevices(devices, configuration?.is === "absent")),
  about("addresses", (addresses) => addresses.map(judgeAddress)),
  about("port", judgePort),
  about("authority", judgeAuthority),
  about("webhookPort", judgeWebhookPort),
  log,
  reload,
];

/** Unexamined parts are not judged. */
export function judge(found: Partial<Findings & OutsideFindings>): readonly Check[] {
  return JUDGEMENTS.flatMap((judgement) => judgement(found));
}

function sizeText(bytes: number): string {
  if (bytes < MEGABYTE) return `${Math.ceil(bytes / 1_000)} kB`;
  return bytes < 1_000 * MEGABYTE
    ? `${Math.round(bytes / MEGABYTE)} MB`
    : `${(bytes / (1_000 * MEGABYTE)).toFixed(1)} GB`;
}

function durationText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`;
}

/** A reason may end with a question mark. */
function stopped(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, "");
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function sentence(text: string): string {
  return `${capital(withoutStop(text))}.`;
}
