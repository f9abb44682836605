import path from "node:path";
import type { NamedFile } from "../config/named-files.ts";
import type { PathAccess } from "../kit/path-access.ts";
import { closedPlace, type Reader } from "../kit/read-access.ts";
import { shellWord } from "../kit/shell-word.ts";
import type { ServicePlan, ServicePlatform } from "../service/plan.ts";
import { hiddenFolder } from "../service/platforms.ts";
import { OperationFailed } from "./terminal-output.ts";

/*
 * The configuration and its files from the view of the service's user: `setup` may have written them before that user
 * existed.
 */

/** Operations on a machine's files. */
export interface ServiceFileMachine {
  /**
   * Owner, group and mode of a file and of every folder above it; undefined without a file, or on a machine without
   * modes.
   */
  modes(path: string): readonly PathAccess[] | undefined;
  give(path: string, to: Given): void;
  /** Undefined: there is no such user. */
  reader(user: string): Reader | undefined;
}

/** The new owner of a file: names of a user and a group. */
interface Given {
  readonly user: string;
  readonly group: string;
  readonly mode: number;
}

export interface ServiceFiles {
  readonly platform: ServicePlatform;
  readonly plan: ServicePlan;
  readonly machine: ServiceFileMachine;
  readonly config: string;
  /** The program's final place. */
  readonly program: string;
  readonly dataDir: string;
  /** Files named in the configuration. */
  readonly files: readonly NamedFile[];
}

interface NeededFile {
  /** The configuration's key, for people. */
  readonly name: string;
  readonly path: string;
  readonly kind: "public" | "private";
}

/** For a user that does not exist yet. */
const NOBODY: Reader = { uid: -1, gids: [] };

function neededFiles({ config, files }: ServiceFiles): readonly NeededFile[] {
  return [
    { name: "--config", path: config, kind: "public" },
    ...files.map(({ key, ...file }) => ({ name: key, ...file })),
  ];
}

/** Throws if the service could not read a file and `handOver` cannot fix that. Changes nothing. */
export function refuseUnreadable(job: ServiceFiles): void {
  const { plan, program, dataDir } = job;
  refuseHidden(job, "--program", program, "/usr/local/bin");
  refuseHidden(job, "dataDir", dataDir, "/var/lib/posbridge");
  for (const { name, path: file } of neededFiles(job)) refuseHidden(job, name, file, "/etc/posbridge");
  const user = plan.account?.user;
  if (user === undefined) return;
  for (const file of neededFiles(job)) {
    const problem = isOurs(job, file) ? undefined : readProblem(job, file, user);
    if (problem !== undefined) throw new OperationFailed(problem);
  }
}

function refuseHidden({ platform, machine }: ServiceFiles, name: string, file: string, better: string): void {
  const [real] = machine.modes(file) ?? [];
  const folder = [file, real?.path ?? file]
    .map((each) => hiddenFolder(platform, each))
    .find((each) => each !== undefined);
  if (folder !== undefined)
    throw new OperationFailed(
      `${name}: ${file} lies below ${folder}, of which a service sees nothing; move it, to ${better} say`,
    );
}

function readProblem(
  { machine }: ServiceFiles,
  { name, path: file, kind }: NeededFile,
  user: string,
): string | undefined {
  const chain = machine.modes(file) ?? [];
  const closed = closedPlace(chain, machine.reader(user) ?? NOBODY);
  if (closed === undefined) return undefined;
  if (closed.path !== chain[0]?.path)
    return `${name}: ${file} lies below ${closed.path}, which ${user} may not enter; move it, or run: chmod o+x ${shellWord(closed.path)}`;
  return `${name}: ${file} cannot be read by ${user}; run: ${kind === "private" ? `chown ${user}` : "chmod o+r"} ${shellWord(file)}`;
}

/**
 * root's own file beside the configuration, in a folder that the service may enter: written by `setup`, or by hand as
 * documented.
 */
function isOurs({ plan, machine, config }: ServiceFiles, { path: file }: NeededFile): boolean {
  const [self, ...folders] = machine.modes(file) ?? [];
  const [beside] = machine.modes(config) ?? [];
  const reader = machine.reader(plan.account?.user ?? "") ?? NOBODY;
  // With links followed, so that other users keep a shared key.
  const isBeside = self !== undefined && beside !== undefined && path.dirname(self.path) === path.dirname(beside.path);
  return isBeside && self.uid === 0 && closedPlace([{ ...self, mode: 0o644 }, ...folders], reader) === undefined;
}

/**
 * Gives the service its files. The configuration stays root's, so that the service cannot change where the money goes.
 */
export function handOver(job: ServiceFiles): readonly string[] {
  const { plan, machine } = job;
  const user = plan.account?.user;
  if (user === undefined) return [];
  return neededFiles(job).flatMap((file) => {
    if (!isOurs(job, file) || readProblem(job, file, user) === undefined) return [];
    machine.give(
      file.path,
      file.kind === "private" ? { user, group: user, mode: 0o600 } : { user: "root", group: user, mode: 0o640 },
    );
    return [`gave ${file.path} to ${user}${file.kind === "private" ? "" : ", to read"}`];
  });
}
