import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";

const PROJECT = path.resolve(import.meta.dirname, "../..");
/** What compiling costs is paid once, not by each of hundreds of processes. */
const COMPILED = path.join(PROJECT, "node_modules/.cache/compiled");
/** The program's sources, unless it was built before (built-program.ts). */
const ENTRY = process.env["POSBRIDGE_BUILT_PROGRAM"] ?? "src/main.demo.ts";
/** Longest time that any process here may take to show an awaited line, also on a machine that has much else to do. */
const LINE_MS = 120_000;

export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One command of the product as a process of its own. */
export interface Program {
  readonly pid: number;
  /** Every line until now. */
  readonly out: readonly string[];
  readonly err: readonly string[];
  /**
   * The first line of stdout, from the `from`-th on, that fits. Rejects, with all that was printed, where the process
   * ends before or takes too long.
   */
  line(fits: RegExp, from?: number): Promise<string>;
  signal(name: NodeJS.Signals): void;
  /** Resolves when the process is gone and everything it printed was read. */
  readonly ended: Promise<End>;
  isRunning(): boolean;
}

/** What is still running when this test process ends, however that comes about, must not stay behind. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/**
 * Starts `node src/main.demo.ts ...`, or what was built of it, from the project's folder, with no more of this
 * process's environment than a shell has.
 */
export function startProgram(...argv: readonly string[]): Program {
  return start([], argv);
}

/** The same, that module loaded before anything of the program. */
export function startProgramAfter(module: URL, ...argv: readonly string[]): Program {
  return start(["--import", module.href], argv);
}

function start(nodeOptions: readonly string[], argv: readonly string[]): Program {
  return startCommand(process.execPath, [...nodeOptions, ENTRY, ...argv], { cwd: PROJECT, env: environment() });
}

/** The program's process with these streams, for who reads or breaks them himself. */
export function spawnProgram(argv: readonly string[], stdio: StdioOptions): ChildProcess {
  return spawn(process.execPath, [ENTRY, ...argv], { cwd: PROJECT, env: environment(), stdio });
}

function environment(): Readonly<Record<string, string>> {
  const { PATH = "", HOME = "", TMPDIR } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE: COMPILED, ...(TMPDIR !== undefined && { TMPDIR }) };
}

/** Any other command, with this environment and no more. */
export function startCommand(
  command: string,
  argv: readonly string[],
  on: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Program {
  const child = spawn(command, argv, { ...on, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  const out: string[] = [];
  const err: string[] = [];
  const waiting = new Set<() => void>();
  const look = (): void => {
    for (const each of waiting) each();
  };
  createInterface({ input: child.stdout }).on("line", (line) => {
    out.push(line);
    look();
  });
  createInterface({ input: child.stderr }).on("line", (line) => err.push(line));
  const gone = Promise.withResolvers<End>();
  child.once("close", (code, signal) => {
    running.delete(child);
    gone.resolve({ code, signal });
    look();
  });
  const isRunning = (): boolean => running.has(child);
  const everything = (): string => [`${command} ${argv.join(" ")}`, ...out, ...err].join("\n");
  const line = (fits: RegExp, from = 0): Promise<string> =>
    new Promise((resolve, reject) => {
      const end = (finish: () => void): void => {
        clearTimeout(limit);
        waiting.delete(search);
        finish();
      };
      const search = (): void => {
        const found = out.slice(from).find((text) => fits.test(text));
        if (found !== undefined) end(() => resolve(found));
        else if (!isRunning()) end(() => reject(new Error(`ended without a line like ${fits}: ${everything()}`)));
      };
      const limit = setTimeout(
        () => end(() => reject(new Error(`no line like ${fits} within ${LINE_MS} ms: ${everything()}`))),
        LINE_MS,
      );
      waiting.add(search);
      search();
    });
  return {
    pid: child.pid ?? 0,
    out,
    err,
    line,
    signal: (name) => void child.kill(name),
    ended: gone.promise,
    isRunning,
  };
}

export interface Run extends End {
  readonly out: readonly string[];
  readonly err: readonly string[];
  readonly tookMs: number;
}

/** Runs a command to its end. */
export async function runProgram(...argv: readonly string[]): Promise<Run> {
  const started = performance.now();
  const program = startProgram(...argv);
  const end = await program.ended;
  return { ...end, out: program.out, err: program.err, tookMs: performance.now() - started };
}

/** SIGKILL, as a power cut would; resolves when the process is gone. Nothing where it is gone already. */
export async function killProgram(program: Program | undefined): Promise<void> {
  program?.signal("SIGKILL");
  await program?.ended;
}
