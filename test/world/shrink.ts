import type { CrashPoint, GatewayTrouble, PhoneDeed, Script, Step, Trouble } from "./script.ts";
import { runWorld } from "./world.ts";

/** The shortest script that was found to break the same rule, and what happens in it. */
export interface Shrunk {
  readonly script: Script;
  /** Up to the moment at which the rule was broken. */
  readonly history: readonly string[];
  /** How many worlds it took. */
  readonly runs: number;
}

/** Worlds that are played at most; what was found by then is good enough to read. */
const MOST_RUNS = 400;

/**
 * Leaves out steps, then troubles, then makes what is left simpler, as long as a world of it still breaks `rule`. Every
 * candidate is played from its own script.
 */
export async function shrink(script: Script, rule: string, mostRuns = MOST_RUNS): Promise<Shrunk> {
  let runs = 0;
  const fails = async (candidate: Script): Promise<boolean> => {
    if (runs >= mostRuns) return false;
    runs += 1;
    return (await runWorld(candidate)).violations.some((violation) => violation.rule === rule);
  };
  let best = await fewer(script, fails, rule);
  for (;;) {
    const simpler = await firstThatFails(variants(best), fails);
    if (simpler === undefined) break;
    best = simpler;
  }
  return { script: best, history: await historyOf(best, rule), runs };
}

/** What happens in a script, up to the first violation of the rule. */
export async function historyOf(script: Script, rule: string): Promise<readonly string[]> {
  const { history, violations } = await runWorld(script, { recording: true });
  const first = violations.find((violation) => violation.rule === rule);
  const end =
    first === undefined
      ? -1
      : history.findIndex((line) => line.endsWith(`${first.reference}: ${first.rule}: ${first.text}`));
  return end < 0 ? history : history.slice(0, end + 1);
}

type Fails = (candidate: Script) => Promise<boolean>;

/**
 * The payment that the violation names, alone; else half of the steps, a quarter, and so on, as long as leaving them
 * out changes nothing.
 */
async function fewer(script: Script, fails: Fails, rule: string): Promise<Script> {
  const named = (await runWorld(script)).violations
    .filter((violation) => violation.rule === rule)
    .map(({ reference }) => reference);
  const alone = withOriginals(
    script,
    script.steps.filter((step) => named.some((reference) => reference.includes(String(step.n).padStart(4, "0")))),
  );
  let best = script;
  for (const steps of [alone.slice(0, 1), alone]) {
    if (steps.length < best.steps.length && (await fails({ ...script, steps }))) {
      best = { ...script, steps };
      break;
    }
  }
  for (let size = Math.ceil(best.steps.length / 2); size >= 1 && best.steps.length > 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < best.steps.length; ) {
      const candidate = { ...best, steps: [...best.steps.slice(0, at), ...best.steps.slice(at + size)] };
      if (candidate.steps.length > 0 && (await fails(candidate))) best = candidate;
      else at += size;
    }
  }
  return best;
}

/** And what they follow. */
function withOriginals({ steps }: Script, some: readonly Step[]): Step[] {
  const wanted = new Set(some.map(({ n }) => n));
  for (const { n, of, card } of steps.toReversed())
    if (wanted.has(n)) for (const one of [of, card]) if (one !== undefined) wanted.add(one);
  return steps.filter(({ n }) => wanted.has(n));
}

async function firstThatFails(candidates: Iterable<Script>, fails: Fails): Promise<Script | undefined> {
  for (const candidate of candidates) if (await fails(candidate)) return candidate;
  return undefined;
}

/** Everything that is one thing simpler, the boldest first. */
function* variants(script: Script): Generator<Script> {
  const withStep = (at: number, step: Step): Script => ({ ...script, steps: script.steps.with(at, step) });
  const { captures: _, ...several } = script;
  if (script.captures !== undefined) yield several;
  const { currency: __, ...inEuros } = script;
  if (script.currency !== undefined) yield inEuros;
  for (const at of script.steps.keys())
    if (script.steps.length > 1) yield { ...script, steps: script.steps.toSpliced(at, 1) };
  for (const [at, step] of script.steps.entries()) {
    if (step.troubles.length > 1) yield withStep(at, { ...step, troubles: [] });
    for (const index of step.troubles.keys())
      yield withStep(at, { ...step, troubles: step.troubles.toSpliced(index, 1) });
    for (const [index, trouble] of step.troubles.entries()) {
      for (const simpler of simplerThan(trouble))
        yield withStep(at, { ...step, troubles: step.troubles.with(index, simpler) });
    }
    for (const simpler of simplerOnPhone(step.phone ?? [])) yield withStep(at, { ...step, phone: [...simpler] });
    if (step.allowPartialApproval === true) yield withStep(at, without(step, "allowPartialApproval"));
    if (step.createRegistration === true) yield withStep(at, without(step, "createRegistration"));
    if (step.signature !== undefined) yield withStep(at, without(step, "signature"));
    if (step.byGatewayId !== undefined) yield withStep(at, without(step, "byGatewayId"));
    if (step.currency !== undefined) yield withStep(at, without(step, "currency"));
    if (step.tip !== undefined) yield withStep(at, without(step, "tip"));
    if (step.expiresInMs !== undefined) yield withStep(at, without(step, "expiresInMs"));
    if (step.pauseMs > 200) yield withStep(at, { ...step, pauseMs: 200 });
    if (step.till > 0) yield withStep(at, { ...step, till: 0 });
  }
}

/** One deed less, or the same sooner. */
function simplerOnPhone(phone: readonly PhoneDeed[]): readonly (readonly PhoneDeed[])[] {
  return [
    ...phone.map((_, index) => phone.toSpliced(index, 1)),
    ...phone.flatMap((deed, index) => less(deed.afterMs).map((afterMs) => phone.with(index, { ...deed, afterMs }))),
  ];
}

function without(
  step: Step,
  name:
    | "allowPartialApproval"
    | "createRegistration"
    | "signature"
    | "expiresInMs"
    | "tip"
    | "byGatewayId"
    | "currency",
): Step {
  const { [name]: _, ...rest } = step;
  return rest;
}

function simplerThan(trouble: Trouble): readonly Trouble[] {
  switch (trouble.is) {
    case "gateway":
      return simplerAtTheGateway(trouble);
    case "crash":
      return [
        ...(trouble.downMs > 50 ? [{ ...trouble, downMs: 50 }] : []),
        ...earlier(trouble.point).map((point) => ({ ...trouble, point })),
      ];
    case "line":
      return trouble.after > 0
        ? [
            { ...trouble, after: 0 },
            { ...trouble, after: Math.floor(trouble.after / 2) },
          ]
        : [];
    case "twice":
    case "rival":
    case "cancel":
    case "card-pulled":
    case "red-key":
      return less(trouble.afterMs).map((afterMs) => ({ ...trouble, afterMs }));
    case "clock-set":
      return [
        ...less(trouble.afterMs).map((afterMs) => ({ ...trouble, afterMs })),
        ...less(Math.abs(trouble.byMs)).map((ms) => ({ ...trouble, byMs: Math.sign(trouble.byMs) * ms })),
      ];
    case "gateway-down":
    case "unplug":
    case "disk":
    case "register-gone":
      return [
        ...less(trouble.afterMs).map((afterMs) => ({ ...trouble, afterMs })),
        ...less(trouble.forMs).map((forMs) => ({ ...trouble, forMs })),
      ];
  }
}

function simplerAtTheGateway(trouble: GatewayTrouble): readonly Trouble[] {
  const { deed, result, becomes, lie, hideMs, forMs, ...rest } = trouble;
  const bare = rest;
  return [
    ...(trouble.times > 1 ? [{ ...trouble, times: 1 }] : []),
    ...(hideMs !== undefined && (deed ?? result ?? lie) !== undefined ? [omit(trouble, "hideMs")] : []),
    ...(deed !== undefined && hideMs !== undefined ? [{ ...bare, hideMs }] : []),
    ...(deed !== undefined && deed !== "drop-after"
      ? [{ ...omit(trouble, "forMs"), deed: "drop-after" as const }]
      : []),
    ...(becomes !== undefined && result !== undefined ? [omit(trouble, "becomes")] : []),
    ...(hideMs === undefined ? [] : less(hideMs).map((ms) => ({ ...trouble, hideMs: ms }))),
    ...(forMs === undefined ? [] : less(forMs).map((ms) => ({ ...trouble, forMs: ms }))),
  ];
}

function omit(trouble: GatewayTrouble, name: "hideMs" | "forMs" | "becomes"): GatewayTrouble {
  const { [name]: _, ...rest } = trouble;
  return rest;
}

function earlier(point: CrashPoint): readonly CrashPoint[] {
  switch (point.at) {
    case "time":
      return less(point.afterMs).map((afterMs) => ({ ...point, afterMs }));
    case "append":
      return [
        ...(point.nth > 0 ? [{ ...point, nth: point.nth - 1 }] : []),
        ...(point.durable ? [{ ...point, durable: false }] : []),
      ];
    case "frame":
      return [
        ...(point.bytes > 0 ? [{ ...point, bytes: 0 }] : []),
        ...(point.nth > 0 ? [{ ...point, nth: point.nth - 1 }] : []),
      ];
    case "request":
    case "card":
      return point.nth > 0 ? [{ ...point, nth: point.nth - 1 }] : [];
  }
}

/** Nothing, and half of it in round numbers. */
function less(ms: number): readonly number[] {
  const half = Math.floor(ms / 2);
  const round = half > 10 ? Number(half.toPrecision(1)) : half;
  return ms === 0 ? [] : [...new Set([0, round])].filter((value) => value < ms);
}
