import { createServer } from "node:net";
import { type Program, startProgram } from "../scenarios/program.ts";

/** How often a program may end by itself before it is not started again. */
const MOST_SURPRISES = 5;
/** A stop that takes longer is no stop (docs/service.md: TimeoutStopSec). */
const STOP_MS = 60_000;

/** One program that is kept running whatever happens to it. */
export interface Keeper {
  /**
   * SIGKILL; resolves when it is gone, and started again. Nothing where it is down at this moment, or about to be: then
   * false.
   */
  kill(downMs?: number): Promise<boolean>;
  /** SIGTERM, and SIGKILL after `killedAfterMs` where that is given. Resolves when it is started again. */
  stop(killedAfterMs?: number): Promise<boolean>;
  /** SIGTERM for good. */
  end(): Promise<void>;
  current(): Program;
  /** What it did by itself that it should not have: ended unasked, or not with 0 when it was told to stop. */
  readonly surprises: readonly string[];
  /** Every line of every life. */
  printed(): readonly string[];
}

/** `ready` is the line by which it says that it has begun. */
export function keepRunning(name: string, ready: RegExp, argv: readonly string[]): Keeper {
  const surprises: string[] = [];
  const lines: string[] = [];
  let isOver = false;
  let asked: "no" | "kill" | "stop" = "no";
  let downMs = 0;
  let program = startProgram(...argv);
  let restarted = Promise.withResolvers<undefined>();

  const again = async (life: Program): Promise<void> => {
    const { code, signal } = await life.ended;
    lines.push(...life.out, ...life.err, `-- ${name} ended: ${code ?? signal}`);
    // A program that has not begun yet does not listen to signals either, and ends by them.
    const isStopped = code === 0 || (signal === "SIGTERM" && !life.out.some((line) => ready.test(line)));
    const isFine = asked === "kill" || (asked === "stop" && isStopped);
    if (!isFine)
      surprises.push(
        `${name} ended with ${code ?? signal}${asked === "stop" ? " after SIGTERM" : " by itself"}: ${life.err.slice(-3).join(" | ")}`,
      );
    if (isOver || surprises.length > MOST_SURPRISES) return;
    if (downMs > 0) await later(downMs);
    if (isOver) return;
    asked = "no";
    downMs = 0;
    program = startProgram(...argv);
    restarted.resolve(undefined);
    restarted = Promise.withResolvers();
    await again(program);
  };
  const keeping = again(program);

  const kill = async (forMs = 0): Promise<boolean> => {
    if (asked === "kill" || !program.isRunning()) return false;
    asked = "kill";
    downMs = forMs;
    const back = restarted.promise;
    program.signal("SIGKILL");
    await back;
    return true;
  };
  const stop = async (killedAfterMs?: number): Promise<boolean> => {
    if (asked !== "no" || !program.isRunning()) return false;
    asked = "stop";
    const back = restarted.promise;
    const life = program;
    life.signal("SIGTERM");
    const impatience = setTimeout(() => {
      if (killedAfterMs === undefined) surprises.push(`${name} did not stop within ${STOP_MS} ms`);
      asked = "kill";
      life.signal("SIGKILL");
    }, killedAfterMs ?? STOP_MS);
    await life.ended;
    clearTimeout(impatience);
    await back;
    return true;
  };
  const end = async (): Promise<void> => {
    isOver = true;
    asked = "stop";
    program.signal("SIGTERM");
    await keeping;
  };
  return {
    kill,
    stop,
    end,
    current: () => program,
    surprises,
    printed: () => [...lines, ...(program.isRunning() ? [...program.out, ...program.err] : [])],
  };
}

export function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A port that is free now: registers and bridge go on using it over all restarts. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address !== null ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
