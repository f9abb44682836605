import type { Line } from "./plan.ts";
import type { Numbered, Ran, Warm } from "./warm.ts";

/** Milliseconds of the tests of each round. */
const ROUNDS = [40, 400, Number.MAX_VALUE] as const;

type Slow = Extract<Line, { is: "slow" }>;
type Noticed = (guard: Numbered, by: string) => void;

/** Which guards no test notices. Cheap tests come first; each guard is done with once a test fails without it. */
export class Sweep {
  readonly #warm: Warm;
  readonly #noticed: Noticed;
  readonly #open: Map<number, Numbered>;
  /** Files that have to run as a whole, for each guard. */
  readonly #whole = new Map<number, Set<string>>();

  constructor(warm: Warm, guards: readonly Numbered[], noticed: Noticed) {
    this.#warm = warm;
    this.#noticed = noticed;
    this.#open = new Map(guards.map((guard) => [guard.id, guard]));
  }

  async over(tiers: readonly (readonly string[])[]): Promise<readonly Numbered[]> {
    let slow: readonly Slow[] = [];
    for (const [at, limitMs] of ROUNDS.entries()) {
      const waiting = slow.filter(({ guards }) => guards.some((id) => this.#open.has(id)));
      const files = new Set(waiting.map(({ file }) => file));
      const tests = at === 0 ? undefined : waiting.map(({ test }) => test);
      const lines: Line[] = [];
      for (const tier of tiers)
        lines.push(...(await this.#round(at === 0 ? tier : tier.filter((file) => files.has(file)), limitMs, tests)));
      slow = lines.filter((line) => line.is === "slow");
    }
    await this.#fileByFile();
    return [...this.#open.values()];
  }

  /** A worker that hung is killed, and its guard is noticed: then the round begins again. */
  async #round(
    files: readonly string[],
    limitMs: number,
    tests: readonly string[] | undefined,
  ): Promise<readonly Line[]> {
    const lines: Line[] = [];
    for (;;) {
      if (files.length === 0 || this.#open.size === 0) return lines;
      const ran = await this.#warm.run(files, { open: [...this.#open.keys()], limitMs, ...(tests && { tests }) });
      for (const line of ran.lines) this.#heard(line);
      lines.push(...ran.lines);
      if (ran.hung === undefined) {
        mustPass(ran);
        return lines;
      }
      this.#done(ran.hung, "a test that never ends");
    }
  }

  #heard(line: Line): void {
    if (line.is === "noticed") this.#done(line.guard, line.test);
    if (line.is !== "whole") return;
    for (const id of line.guards) this.#whole.set(id, (this.#whole.get(id) ?? new Set()).add(line.file));
  }

  async #fileByFile(): Promise<void> {
    for (const [id, files] of this.#whole) {
      for (const file of this.#open.has(id) ? files : []) {
        const { failed, hung } = await this.#warm.run([file], { open: [], limitMs: Number.MAX_VALUE, off: id });
        if (failed.length === 0 && hung === undefined) continue;
        this.#done(id, file);
        break;
      }
    }
  }

  #done(id: number, by: string): void {
    const guard = this.#open.get(id);
    if (guard === undefined) return;
    this.#open.delete(id);
    this.#noticed(guard, by);
  }
}

function mustPass({ failed }: Ran): void {
  if (failed.length > 0) throw new Error(`these tests fail with every guard in its place: ${failed.join(", ")}`);
}
