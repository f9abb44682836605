import type { PlannedFolder, ServicePlan, ServicePlatform, Step } from "../service/plan.ts";
import { handOver, refuseUnreadable, type ServiceFileMachine, type ServiceFiles } from "./service-files.ts";
import { OperationFailed } from "./terminal-output.ts";

/**
 * The machine as `install`, `remove` and `status` use it. Paths are absolute; a refusal of the machine is thrown as an
 * Error.
 */
export interface ServiceMachine extends ServiceFileMachine {
  isRoot(): boolean;
  exists(path: string): boolean;
  read(path: string): string | undefined;
  /** Writes the whole file or nothing; owner root. */
  write(path: string, text: string, mode: number): void;
  remove(path: string): void;
  /** Owned by root, executable by all; false if the same file is already there. */
  copyProgram(from: string, to: string): boolean;
  /** How another user than root could replace the file; undefined: nobody could. */
  tamperProblem(path: string): string | undefined;
  /** The folder's owner, and whether it is empty; undefined if there is none. */
  folder(path: string): { readonly user: string; readonly empty: boolean } | undefined;
  makeFolder(folder: Pick<PlannedFolder, "path" | "mode">, user: string): void;
  hasUser(name: string): boolean;
  hasGroup(name: string): boolean;
  run(argv: readonly string[]): Ran;
}

interface Ran {
  readonly code: number;
  readonly out: string;
  /** Its error output in one line. */
  readonly err: string;
}

export interface ServiceJob {
  readonly platform: ServicePlatform;
  readonly plan: ServicePlan;
  readonly machine: ServiceMachine;
  readonly config: string;
}

interface InstallJob extends ServiceJob, ServiceFiles {
  readonly machine: ServiceMachine;
  /** The program's final place. */
  readonly program: string;
  /** The program's source, if it must be copied. */
  readonly from: string | undefined;
  readonly start: boolean;
}

/** Completed steps, one line each, and the remaining ones for a person. */
export interface ServiceDone {
  readonly done: readonly string[];
  readonly next: readonly string[];
}

/** Applies the plan to the machine. A second run finds nothing to do. */
export function installService(job: InstallJob): ServiceDone {
  const { plan, machine, config, start } = job;
  refuseUnfit(job, "install");
  refusePackaged(job, "there already, systemctl enable --now posbridge");
  if (start && !machine.exists(config))
    throw new OperationFailed(`there is no ${config}: write a configuration there, or install without --start`);
  const groups = (plan.account?.groups ?? []).filter((group) => !machine.hasGroup(group));
  if (groups.length > 0)
    throw new OperationFailed(
      `this machine has no group ${groups.join(", ")}, which opens serial ports: groupadd --system ${groups[0]}`,
    );
  refuseUnreadable(job);
  const done: string[] = [
    ...placeProgram(job),
    ...makeAccount(job),
    ...handOver(job),
    ...plan.folders.flatMap((folder) => makeFolder(job, folder)),
    ...plan.files.flatMap(({ path, text, mode }) => {
      if (machine.read(path) === text) return [];
      machine.write(path, text, mode);
      return [`wrote ${path}`];
    }),
  ];
  const isNew = plan.make !== undefined && !stateOf(job).installed;
  if (isNew) done.push(...made(job));
  else runSteps(machine, plan.change ?? []);
  const notes = runSteps(machine, plan.load);
  if (!start) return { done: orNothing(done), next: [...notes, ...nextSteps(job)] };
  const started = startService(job, done.length > 0);
  return { done: orNothing([...done, ...started]), next: [...notes, "how it is: posbridge service status"] };
}

function startService(job: InstallJob, hasChanged: boolean): readonly string[] {
  const { plan, machine } = job;
  const { running, enabled } = stateOf(job);
  if (!running || !enabled) runSteps(machine, plan.start);
  if (!running) return ["started the service"];
  if (!hasChanged || plan.restart.length === 0) return [];
  runSteps(machine, plan.restart);
  return ["started the service anew"];
}

function made({ plan, machine }: InstallJob): readonly string[] {
  runSteps(machine, plan.make ?? []);
  return [`made the service ${plan.service}`];
}

function nextSteps({ plan, machine, config }: InstallJob): readonly string[] {
  const configure = machine.exists(config)
    ? []
    : [`next: write ${config}, and check it: posbridge check-config ${config}`];
  return [
    ...configure,
    `start it now and with the machine: ${plan.start.map(({ argv }) => argv.join(" ")).join("; ")}`,
  ];
}

function orNothing(done: readonly string[]): readonly string[] {
  return done.length > 0 ? done : ["everything is in place already"];
}

/** Stops the service and removes its files. */
export function removeService(job: ServiceJob): ServiceDone {
  const { platform, plan, machine, config } = job;
  refuseUnfit(job, "remove");
  const there = plan.files.filter(({ path }) => machine.exists(path));
  if (there.length === 0) refusePackaged(job, "removed with the package, apt remove posbridge");
  const isThere = plan.make === undefined ? there.length > 0 : stateOf(job).installed;
  // The manager stops only a known service: somebody may have removed the first file, which makes it known, by hand.
  const isKnown = isThere && (plan.make !== undefined || there[0] === plan.files[0]);
  if (isKnown) runSteps(machine, plan.unload);
  for (const { path } of there) machine.remove(path);
  if (isThere) runSteps(machine, plan.unloaded);
  const kept = [config, ...plan.folders.filter(({ owner }) => owner === "service").map(({ path }) => path)].filter(
    (path) => machine.exists(path),
  );
  const user =
    plan.account !== undefined && machine.hasUser(plan.account.user) ? [`the user ${plan.account.user}`] : [];
  const stays = [...kept, ...user];
  const packaged = platform.packaged.find((path) => machine.exists(path));
  return {
    done: isThere
      ? [...(isKnown ? ["stopped the service"] : []), ...there.map(({ path }) => `removed ${path}`)]
      : ["nothing of the service is there"],
    next: [
      ...(stays.length > 0 ? [`kept, because payments may still be open in the journal: ${stays.join(", ")}`] : []),
      ...(packaged === undefined
        ? []
        : [`from now on the package's ${packaged} counts; to start it: systemctl enable --now posbridge`]),
    ],
  };
}

/** The service's state according to its manager. */
export function stateOf({
  platform,
  machine,
}: Pick<ServiceJob, "platform" | "machine">): ReturnType<ServicePlatform["state"]> {
  return platform.state(machine.run(platform.query).out);
}

function refuseUnfit({ platform, machine }: ServiceJob, verb: "install" | "remove"): void {
  const { manager, sign, installable } = platform;
  const shown = "posbridge service print shows what it would be";
  if (!installable)
    throw new OperationFailed(`service ${verb} has not been tried with ${manager} yet and does nothing: ${shown}`);
  if (!machine.exists(sign))
    throw new OperationFailed(`${manager} does not run on this machine (there is no ${sign}): ${shown}`);
  if (!machine.isRoot())
    throw new OperationFailed(`service ${verb} changes the system: run it as root, sudo posbridge service ${verb}`);
}

function refusePackaged({ platform, machine }: ServiceJob, instead: string): void {
  const other = platform.packaged.find((path) => machine.exists(path));
  if (other !== undefined) throw new OperationFailed(`a package brought ${other}: the service is ${instead}`);
}

function placeProgram({ machine, program, from }: InstallJob): readonly string[] {
  const copied = from !== undefined && from !== program && machine.copyProgram(from, program);
  if (!machine.exists(program))
    throw new OperationFailed(
      `there is no program ${program}: put it there (npm run package makes it), or name it by --program FILE`,
    );
  const problem = machine.tamperProblem(program);
  if (problem !== undefined) throw new OperationFailed(`${program} ${problem}`);
  return copied ? [`copied this program to ${program}`] : [];
}

function makeAccount({ plan: { account }, machine }: InstallJob): readonly string[] {
  if (account === undefined || machine.hasUser(account.user)) return [];
  const groups = account.groups.length > 0 ? ["--groups", account.groups.join(",")] : [];
  const argv = [
    "useradd",
    "--system",
    "--user-group",
    "--no-create-home",
    "--home-dir",
    "/nonexistent",
    "--shell",
    "/usr/sbin/nologin",
    ...groups,
    account.user,
  ];
  runSteps(machine, [{ argv, what: `make the user ${account.user}` }]);
  return [`made the system user ${account.user}`];
}

function makeFolder({ plan: { account }, machine }: InstallJob, folder: PlannedFolder): readonly string[] {
  const user = folder.owner === "service" ? (account?.user ?? "root") : "root";
  const found = machine.folder(folder.path);
  if (found === undefined || (found.user !== user && found.empty)) {
    machine.makeFolder(folder, user);
    return [`made ${folder.path}`];
  }
  // A configuration may lie in a foreign folder; check-config judges that.
  if (found.user === user || folder.owner === "root") return [];
  throw new OperationFailed(
    `${folder.path} belongs to ${found.user}, and the service runs as ${user}: chown -R ${user}:${user} ${folder.path}`,
  );
}

/** Runs all steps; throws on a failure and returns the harmless ones. */
function runSteps(machine: ServiceMachine, steps: readonly Step[]): readonly string[] {
  return steps.flatMap(({ argv, what, mayFail, soAlready }) => {
    const { code, err } = machine.run(argv);
    if (code === 0 || code === soAlready) return [];
    const problem = `could not ${what}: ${argv.join(" ")} ended with ${code}${err === "" ? "" : ` (${err})`}`;
    if (mayFail !== true) throw new OperationFailed(problem);
    return [`${problem}; run it by hand`];
  });
}
