import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { shellWord } from "../../src/kit/shell-word.ts";
import { type Program, startCommand } from "../scenarios/program.ts";

/** What a machine lacks on which the Windows programs can be tried. */
export class MachineUnfit extends Error {}

/** Windows as Wine plays it: a Debian 13 in a folder, with drive C: in it. */
export interface Windows {
  /** Wine's name and version. */
  readonly version: string;
  /** A folder of C: that was made empty, as Windows and as Linux name it. */
  readonly place: string;
  readonly folder: string;
  /** Starts a Windows program with a terminal as its input and output, for which Wine needs one. */
  start(program: string, ...argv: readonly string[]): Program;
  /** Runs a Windows program to its end. */
  run(program: string, ...argv: readonly string[]): Promise<Ran>;
  /** A COM port: a serial device of this machine, under the name that it has inside. */
  addComPort(name: string, device: string): void;
  /** Ends what a failed step has left. */
  endAll(): void;
  /** The processes of the programs in the place. */
  running(): readonly number[];
}

export interface Ran {
  readonly code: number | null;
  readonly out: readonly string[];
}

export const CACHE =
  process.env["POSBRIDGE_WINE"] ??
  join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "posbridge", "wine");
const DEBIAN = join(CACHE, "debian");
/** Where a folder of this machine is seen inside. */
export const SHARED = "/mnt/posbridge";
const PLACE = "C:\\posbridge";
const INSIDE = [
  "/usr/bin/env",
  "-i",
  "PATH=/usr/bin:/bin",
  "HOME=/root",
  "WINEPREFIX=/root/wine",
  "WINEDEBUG=-all",
  "XDG_RUNTIME_DIR=/run",
  "TERM=dumb",
];

/**
 * Mounts that somebody else left in Debian's folder. Those of this command are in a namespace of their own, and are
 * gone with it.
 */
export function refuseForeignMounts(): void {
  const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n");
  const found = mounts.map((line) => line.split(" ")[1] ?? "").filter((path) => path.startsWith(`${DEBIAN}/`));
  if (found.length > 0)
    throw new MachineUnfit(
      `something is mounted below ${DEBIAN}; first: umount ${found.toReversed().map(shellWord).join(" ")}`,
    );
}

/**
 * Mounts what Wine needs and makes the place empty. `shared` becomes visible inside; `printed` gets all that is
 * printed. Must run in a mount namespace of its own.
 */
export function openWindows(shared: string, printed: string[]): Windows {
  if (!existsSync(join(DEBIAN, "posbridge-ready")))
    throw new MachineUnfit(`there is no Wine 10 in ${CACHE}; make it: .ci/wine-packages`);
  for (const [from, to] of [
    ["/proc", "/proc"],
    ["/dev", "/dev"],
    ["/dev/pts", "/dev/pts"],
    [shared, SHARED],
  ] as const) {
    mkdirSync(join(DEBIAN, to), { recursive: true });
    execFileSync("mount", ["--bind", from, join(DEBIAN, to)]);
  }
  const folder = join(DEBIAN, "root/wine/drive_c/posbridge");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  inside("wineserver", "-k");
  // Else all services end with the first program.
  inside("wineserver", "-p");
  const start = (program: string, ...argv: readonly string[]): Program => {
    const command = ["exec", "chroot", DEBIAN, ...INSIDE, "wine", program, ...argv].map(shellWord).join(" ");
    // A wide terminal breaks no line.
    const started = startCommand("script", ["-qefc", `stty cols 5000 -echo; ${command}`, "/dev/null"], {
      cwd: "/",
      env: { PATH: process.env["PATH"] ?? "", SHELL: "/bin/sh" },
    });
    void started.ended.then(() => printed.push(...started.out));
    return started;
  };
  return {
    ...{ version: readFileSync(join(DEBIAN, "posbridge-ready"), "utf8").trim(), place: PLACE, folder, start },
    run: async (program, ...argv) => {
      const started = start(program, ...argv);
      const { code } = await started.ended;
      return { code, out: plain(started.out) };
    },
    addComPort: (name, device) => {
      inside("wine", "reg", "add", "HKLM\\Software\\Wine\\Ports", "/v", name, "/d", device, "/f");
      // Counts from the next start of the server on.
      inside("wineserver", "-k");
      inside("wineserver", "-p");
    },
    endAll: () => {
      for (const id of processesOf(PLACE)) process.kill(id, "SIGKILL");
    },
    running: () => processesOf(PLACE),
  };
}

/** Runs a Linux program of Wine; whatever it answers. */
function inside(...argv: readonly string[]): void {
  try {
    execFileSync("chroot", [DEBIAN, ...INSIDE, ...argv], { stdio: "ignore" });
  } catch {
    // There is no server to end yet.
  }
}

/** Lines without what steers a terminal, and without empty ones. */
export function plain(lines: readonly string[]): readonly string[] {
  return lines
    .map((line) => stripVTControlCharacters(line).replaceAll("\r", "").trimEnd())
    .filter((line) => line !== "");
}

function processesOf(place: string): readonly number[] {
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return ids.flatMap((id) => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, "utf8").startsWith(`${place}\\`) &&
        readlinkSync(`/proc/${id}/exe`).includes("wine")
        ? [Number(id)]
        : [];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
}
