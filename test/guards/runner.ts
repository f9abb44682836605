import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { type RunnerTask, type RunnerTestCase, type RunnerTestFile, TestRunner } from "vitest";
import { type Line, type Plan, planSchema } from "./plan.ts";
import { Switches } from "./switches.ts";

const switches = new Switches();
Object.defineProperty(globalThis, "__guards", { value: switches, configurable: true });

interface Limits {
  /** How often guards may be asked. */
  readonly limit: number;
  readonly limitMs: number;
}

/** Noticed in this run, so that a later test need not try it. */
const noticed = { run: 0, guards: new Set<number>() };

/** Runs each test as it is, then once more for each guard that mattered in it, with that guard switched off. */
export class GuardRunner extends TestRunner {
  readonly #plan: Plan;
  readonly #tests: ReadonlySet<string> | undefined;
  readonly #outside = new Set<number>();
  /** A test of this file has run more than once: what its tests share may not be what a later one expects. */
  #isRepeated = false;

  constructor(config: TestRunner["config"]) {
    super(config);
    this.#plan = planSchema.parse(this.injectValue("guards"));
    this.#tests = this.#plan.tests && new Set(this.#plan.tests);
    if (noticed.run !== this.#plan.run) {
      Object.assign(noticed, { run: this.#plan.run, guards: new Set() });
      this.#write({ is: "begun", pid: process.pid });
      switches.begin({ off: this.#plan.off });
    }
  }

  #write(line: Line): void {
    appendFileSync(this.#plan.log, `${JSON.stringify(line)}\n`);
  }

  #openOf(guards: Iterable<number>): readonly number[] {
    const mattered = new Set(guards);
    return this.#plan.open.filter((id) => mattered.has(id) && !noticed.guards.has(id));
  }

  /** Guards that mattered while files were loaded, or in hooks. */
  #gatherOutside(): void {
    for (const id of switches.mattered()) this.#outside.add(id);
  }

  override async onAfterRunSuite(suite: Parameters<TestRunner["onAfterRunSuite"]>[0]): Promise<void> {
    this.#gatherOutside();
    if ("filepath" in suite) {
      const guards = this.#openOf(this.#outside);
      this.#outside.clear();
      this.#isRepeated = false;
      if (guards.length > 0) this.#write({ is: "whole", guards, file: fileOf(suite.file) });
    }
    await super.onAfterRunSuite(suite);
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const run = TestRunner.getTestFn<RunnerTask>(test);
    if (this.#plan.off !== undefined) return await run();
    this.#gatherOutside();
    switches.begin();
    const begun = performance.now();
    const [file, name] = [fileOf(test.file), nameOf(test)];
    try {
      await run();
    } catch (cause) {
      if (!this.#isRepeated) throw cause;
      return this.#write({ is: "whole", guards: this.#openOf(switches.mattered()), file });
    }
    const took = performance.now() - begun;
    const limits = { limit: 1000 + 20 * switches.asked(), limitMs: 3000 + 20 * took };
    const guards = this.#openOf(switches.mattered());
    if (guards.length === 0 || this.#tests?.has(`${file} > ${name}`) === false) return;
    if (took > this.#plan.limitMs) return this.#write({ is: "slow", guards, file, test: `${file} > ${name}` });
    await this.#tryEach(test, guards, limits);
    switches.mattered();
  }

  /** A test that fails again with nothing switched off, or takes another way, depends on what ran before it. */
  async #tryEach(test: RunnerTestCase, guards: readonly number[], limits: Limits): Promise<void> {
    const [file, name] = [fileOf(test.file), `${fileOf(test.file)} > ${nameOf(test)}`];
    const put = (id: number): void => this.#write({ is: "whole", guards: [id], file });
    this.#isRepeated = true;
    if (await this.#fails(test, limits)) return guards.forEach(put);
    const again = switches.mattered();
    for (const [at, guard] of guards.entries()) {
      if (!again.has(guard)) {
        put(guard);
        continue;
      }
      this.#write({ is: "trying", guard, test: name });
      const isFailed = await this.#fails(test, { ...limits, off: guard });
      if (isFailed && (await this.#fails(test, limits))) return guards.slice(at).forEach(put);
      if (isFailed) noticed.guards.add(guard);
      this.#write(isFailed ? { is: "noticed", guard, test: name } : { is: "tried", guard });
    }
  }

  /** Without a guard a test may wait for what never comes. */
  async #fails(test: RunnerTestCase, { limitMs, ...off }: Limits & { readonly off?: number }): Promise<boolean> {
    switches.begin(off);
    const late = Promise.withResolvers<boolean>();
    const timer = setTimeout(late.resolve, limitMs, true);
    const run = async (): Promise<boolean> => {
      await TestRunner.getTestFn<RunnerTask>(test)();
      return false;
    };
    try {
      return await Promise.race([run(), late.promise]);
    } catch {
      return true;
    } finally {
      clearTimeout(timer);
      switches.begin();
    }
  }
}

function fileOf(file: RunnerTestFile): string {
  return relative(process.cwd(), file.filepath);
}

function nameOf({ name, suite }: RunnerTask): string {
  return suite === undefined || "filepath" in suite ? name : `${nameOf(suite)} > ${name}`;
}

export { GuardRunner as default };
