import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { tamperProblem } from "../kit/path-access.ts";
import { systemAccess } from "../kit/system-path-access.ts";
import type { ServiceMachine } from "./service-install.ts";
import { OperationFailed } from "./terminal-output.ts";

const RUN_MS = 120_000;

export const systemMachine: ServiceMachine = {
  isRoot: () => process.geteuid?.() === 0,
  exists: (file) => fs.existsSync(file),
  read: (file) => (fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined),
  write: (file, text, mode) =>
    told(() => putInPlace(file, mode, (beside) => fs.writeFileSync(beside, text, { mode, flag: "wx" }))),
  remove: (file) => told(() => fs.rmSync(file)),
  copyProgram: (from, to) =>
    told(() => {
      if (fs.existsSync(to) && fs.readFileSync(from).equals(fs.readFileSync(to))) return false;
      fs.mkdirSync(path.dirname(to), { recursive: true });
      // A running program cannot be overwritten, but can be replaced.
      putInPlace(to, 0o755, (beside) => fs.copyFileSync(from, beside));
      return true;
    }),
  tamperProblem: (file) => told(() => tamperProblem(systemAccess(file), 0, "install")),
  modes: (file) => {
    const chain = fs.existsSync(file) ? told(() => systemAccess(file)) : undefined;
    return chain === undefined || "own" in chain ? undefined : chain;
  },
  give: (file, { user, group, mode }) =>
    told(() => {
      fs.chownSync(file, numberOf("passwd", user), numberOf("group", group));
      fs.chmodSync(file, mode);
    }),
  reader: (user) => {
    const uid = entry("passwd", user)?.[2];
    if (uid === undefined) return undefined;
    const { stdout } = spawnSync("id", ["-G", user], { encoding: "utf8" });
    return { uid: Number(uid), gids: stdout.trim().split(" ").map(Number) };
  },
  folder: (folder) => {
    const stat = fs.statSync(folder, { throwIfNoEntry: false });
    return stat && { user: nameOf(stat.uid), empty: stat.isDirectory() && fs.readdirSync(folder).length === 0 };
  },
  makeFolder: ({ path: folder, mode }, user) =>
    told(() => {
      fs.mkdirSync(folder, { recursive: true, mode });
      fs.chownSync(folder, numberOf("passwd", user), numberOf("group", user));
      fs.chmodSync(folder, mode);
    }),
  hasUser: (name) => entry("passwd", name) !== undefined,
  hasGroup: (name) => entry("group", name) !== undefined,
  run: ([program = "", ...args]) => {
    const { status, stdout, stderr, error } = spawnSync(program, args, {
      encoding: "utf8",
      timeout: RUN_MS,
      stdio: ["ignore", "pipe", "pipe"],
    });
    return {
      code: status ?? 127,
      out: stdout ?? "",
      err: (error?.message ?? stderr.trim()).replaceAll(/\s*\n\s*/g, "; "),
    };
  },
};

/** Written beside and renamed, so that a reader sees the old file or the new one. */
function putInPlace(file: string, mode: number, write: (beside: string) => void): void {
  const beside = `${file}.${process.pid}`;
  try {
    write(beside);
    fs.chmodSync(beside, mode);
    fs.renameSync(beside, file);
  } finally {
    fs.rmSync(beside, { force: true });
  }
}

/** A line of the user or group database, wherever it is stored (getent(1)). */
function entry(database: "passwd" | "group", key: string): readonly string[] | undefined {
  const { status, stdout } = spawnSync("getent", [database, key], { encoding: "utf8" });
  return status === 0 ? stdout.trim().split(":") : undefined;
}

function numberOf(database: "passwd" | "group", name: string): number {
  const number = entry(database, name)?.[2];
  if (number === undefined) throw new Error(`there is no ${database === "passwd" ? "user" : "group"} ${name}`);
  return Number(number);
}

function nameOf(uid: number): string {
  return entry("passwd", String(uid))?.[0] ?? `user ${uid}`;
}

function told<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw new OperationFailed(cause instanceof Error ? cause.message : String(cause));
  }
}
