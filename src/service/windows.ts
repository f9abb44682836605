import type { ManagedState, ServicePlan, ServicePlatform, ServiceSettings, Step } from "./plan.ts";

/* Windows' service manager, by its own tools: sc, reg and icacls. Not yet tested on real Windows (docs/windows.md). */

const SERVICE = "posbridge";
/** An account made by Windows for this service: no password, no log-on, only the rights given to its name. */
const ACCOUNT = `NT SERVICE\\${SERVICE}`;
const ROOT = "C:\\ProgramData\\posbridge";
const KEY = `HKLM\\SYSTEM\\CurrentControlSet\\Services\\${SERVICE}`;
const EVENTS = `HKLM\\SYSTEM\\CurrentControlSet\\Services\\EventLog\\Application\\${SERVICE}`;
/** SYSTEM and Administrators by number: their names depend on the language. */
const MASTERS = ["*S-1-5-18:(OI)(CI)F", "*S-1-5-32-544:(OI)(CI)F"];
/** Running payments have 20 s to end; the default of Windows 10 is 10 s. */
const SHUTDOWN_MS = 60_000;
/** After the first, the second and every further failure of a day. */
const RESTARTS = "restart/2000/restart/10000/restart/60000";
const DAY_S = 86_400;

/** A word of a command line for CommandLineToArgvW. */
export function commandWord(text: string): string {
  if (text !== "" && !/[\s"]/.test(text)) return text;
  return `"${text.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, "$&$&")}"`;
}

/** The command that the service manager starts. */
export function serviceCommandLine({ program, config }: Pick<ServiceSettings, "program" | "config">): string {
  // Always quoted: with spaces and no quotes Windows would try C:\Program.exe first.
  return [`"${program}"`, "run", "--config", commandWord(config), "--windows-service"].join(" ");
}

function addValue(key: string, name: string, type: string, data: string, what: string): Step {
  return { argv: ["reg.exe", "add", key, "/v", name, "/t", type, "/d", data, "/f"], what };
}

/**
 * Takes the folder over before the service exists: its creator would own it and could rewrite its list. It is closed
 * first; its content inherits that. Never repeated: a file briefly without the service's right would stop a payment.
 */
function taken(): readonly Step[] {
  const inside = `${ROOT}\\*`;
  const owned = (which: string, ...how: readonly string[]): Step => ({
    argv: ["icacls.exe", which, "/setowner", "*S-1-5-32-544", ...how],
    what: `make ${which} belong to Administrators`,
  });
  const reset = (which: string, ...how: readonly string[]): Step => ({
    argv: ["icacls.exe", which, "/reset", ...how],
    what: `take away what was granted in ${which}`,
  });
  // A link itself, because its target may belong to somebody else.
  const below = ["/T", "/L", "/Q"];
  return [owned(ROOT), reset(ROOT), closed(ROOT), owned(inside, ...below), reset(inside, ...below)];
}

/**
 * Closes the bridge's own folders to others. In other folders the service only gets access, because they may hold
 * foreign files.
 */
function admitted(folder: string, right: "RX" | "M"): Step {
  const grant = `${ACCOUNT}:(OI)(CI)${right}`;
  const isOurs = `${folder}\\`.toLowerCase().startsWith(`${ROOT}\\`.toLowerCase());
  if (!isOurs) return { argv: ["icacls.exe", folder, "/grant", grant], what: `let the service into ${folder}` };
  return closed(folder, grant);
}

function closed(folder: string, ...grants: readonly string[]): Step {
  return {
    argv: ["icacls.exe", folder, "/inheritance:r", "/grant:r", ...MASTERS, ...grants],
    what: `close ${folder} to others`,
  };
}

/** ERROR_SERVICE_ALREADY_RUNNING (winerror.h), also for a starting service. */
const ALREADY_RUNNING = 1056;

/** Repeatable steps: each sets its value. */
function settled(settings: ServiceSettings): readonly Step[] {
  const { config, dataDir } = settings;
  const sc = (what: string, ...argv: readonly string[]): Step => ({ argv: ["sc.exe", ...argv], what });
  return [
    sc("describe the service", "description", SERVICE, "Registers, card terminals and the payment gateway"),
    sc("set what follows a failure", "failure", SERVICE, "reset=", String(DAY_S), "actions=", RESTARTS),
    { ...sc("count an end with an error as a failure", "failureflag", SERVICE, "1"), mayFail: true },
    addValue(
      KEY,
      "PreshutdownTimeout",
      "REG_DWORD",
      String(SHUTDOWN_MS),
      "give the service time when Windows shuts down",
    ),
    addValue(
      EVENTS,
      "EventMessageFile",
      "REG_EXPAND_SZ",
      "%SystemRoot%\\System32\\EventCreate.exe",
      "name the texts of the event log",
    ),
    addValue(EVENTS, "TypesSupported", "REG_DWORD", "7", "name the kinds of events"),
    ...[...new Set([ROOT, folderOf(config)])].map((folder) => admitted(folder, "RX")),
    ...[dataDir, `${ROOT}\\logs`].map((folder) => admitted(folder, "M")),
  ];
}

function folderOf(file: string): string {
  const folder = file.slice(0, Math.max(0, file.lastIndexOf("\\")));
  return folder.endsWith(":") ? `${folder}\\` : folder;
}

function plan(settings: ServiceSettings): ServicePlan {
  const { config, dataDir } = settings;
  const made: Step = {
    argv: [
      "sc.exe",
      "create",
      SERVICE,
      "binPath=",
      serviceCommandLine(settings),
      "start=",
      "delayed-auto",
      "obj=",
      ACCOUNT,
      "DisplayName=",
      SERVICE,
    ],
    what: "make the service",
  };
  const changed: Step = {
    argv: [
      "sc.exe",
      "config",
      SERVICE,
      "binPath=",
      serviceCommandLine(settings),
      "start=",
      "delayed-auto",
      "obj=",
      ACCOUNT,
    ],
    what: "set the command of the service",
  };
  const folders = [...new Set([folderOf(config), dataDir, `${ROOT}\\logs`])];
  return {
    manager: "windows",
    service: SERVICE,
    folders: folders.map((path) => ({ path, mode: 0o700, owner: "service" })),
    files: [],
    // The service comes last: if a step fails, the next install starts again with the first.
    make: [...taken(), made],
    change: [changed],
    load: settled(settings),
    start: [{ argv: ["sc.exe", "start", SERVICE], what: "start the service", soAlready: ALREADY_RUNNING }],
    // The manager restarts it after a failure; changes apply at the next start.
    restart: [],
    unload: [{ argv: ["sc.exe", "stop", SERVICE], what: "stop the service", mayFail: true }],
    unloaded: [
      { argv: ["sc.exe", "delete", SERVICE], what: "remove the service" },
      { argv: ["reg.exe", "delete", EVENTS, "/f"], what: "remove the name from the event log", mayFail: true },
    ],
  };
}

/** ERROR_SERVICE_NEVER_STARTED (winerror.h). */
const NEVER_STARTED = "1077";

/** Numbers of winsvc.h. */
const STATES: Readonly<Record<string, string>> = {
  1: "stopped",
  2: "starting",
  3: "stopping",
  4: "running",
  5: "resuming",
  6: "pausing",
  7: "paused",
};

const STATE = /:\s*([1-7])\s+(?:STOPPED|START_PENDING|STOP_PENDING|RUNNING|CONTINUE_PENDING|PAUSE_PENDING|PAUSED)\b/;
const EXIT_CODE = /:\s*([0-9]+)\s+\(0x[0-9a-f]+\)/gi;

/**
 * Parses the output of `sc query`. Its labels depend on the language; numbers, their order and the word of the state do
 * not.
 */
function state(output: string): ManagedState {
  const found = STATE.exec(output);
  const number = found?.[1];
  const [code, own] =
    found === null ? [] : [...output.slice(found.index).matchAll(EXIT_CODE)].map(([, digits]) => digits);
  const installed = number !== undefined;
  const failure = code === "1066" ? `exit code ${own}` : `error ${code} of Windows`;
  return {
    ...{
      installed,
      enabled: installed,
      running: number === "4",
      state: number === undefined ? "not installed" : (STATES[number] ?? number),
    },
    ...(code !== undefined && code !== "0" && code !== NEVER_STARTED && { failure }),
  };
}

export const windows: ServicePlatform = {
  manager: "windows",
  installable: true,
  sign: "C:\\Windows\\System32\\services.exe",
  packaged: [],
  hidden: [],
  program: "C:\\Program Files\\posbridge\\posbridge.exe",
  config: `${ROOT}\\posbridge.yaml`,
  dataDir: `${ROOT}\\data`,
  plan,
  query: ["sc.exe", "query", SERVICE],
  state,
};
