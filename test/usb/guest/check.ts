/** One statement about USB, and what makes it true. */
export interface Check {
  readonly name: string;
  /** Longest time it may take, in milliseconds of the guest. */
  readonly limitMs: number;
  run(): Promise<void>;
}

/** The words by which the host's side knows a result; one line each. */
export const OK = "TEST-OK";
export const NOT_OK = "TEST-NOT-OK";
export const PLAN = "TEST-PLAN";

/**
 * Runs the checks in order and prints a line for each; true where all of them hold. One that fails does not keep the
 * next from running.
 */
export async function runChecks(checks: readonly Check[]): Promise<boolean> {
  say(`${PLAN} ${checks.length}`);
  let all = true;
  for (const check of checks) {
    const started = performance.now();
    const problem = await problemOf(check);
    const tookMs = Math.round(performance.now() - started);
    say(
      problem === undefined
        ? `${OK} ${check.name} (${tookMs} ms)`
        : `${NOT_OK} ${check.name} (${tookMs} ms): ${problem}`,
    );
    all &&= problem === undefined;
  }
  return all;
}

async function problemOf({ run, limitMs }: Check): Promise<string | undefined> {
  let limit: NodeJS.Timeout | undefined;
  const tooLate = new Promise<string>((resolve) => {
    limit = setTimeout(() => resolve(`not done after ${limitMs} ms`), limitMs);
  });
  const done = run().then(
    () => undefined,
    (error: unknown) =>
      (error instanceof Error ? (error.stack ?? error.message) : String(error)).replace(/\s*\n\s*/g, " | "),
  );
  const problem = await Promise.race([done, tooLate]);
  clearTimeout(limit);
  return problem;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const LOOK_MS = 25;

/** Looks until `look` gives something. Rejects, naming what was waited for, after `withinMs`. */
export async function until<T>(
  what: string,
  look: () => T | undefined | Promise<T | undefined>,
  withinMs = 10_000,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`no ${what} within ${withinMs} ms`);
    await pause(LOOK_MS);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
