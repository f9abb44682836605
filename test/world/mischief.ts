import { sleep } from "../../src/kit/clock.ts";
import type { Asked } from "./checker/evidence.ts";
import type { Counter } from "./counter.ts";
import type { Register } from "./register.ts";
import type { Trouble } from "./script.ts";
import { troubleText } from "./wire.ts";
import type { World } from "./world.ts";

/** One sale, and where it takes place. A deletion of a stored card has a reference, and is no sale. */
export interface Scene {
  readonly reference: string;
  readonly world: World;
  readonly counter: Counter;
  readonly register: Register;
  readonly asked?: Asked;
}

/**
 * Sets a trouble of this sale going. Returns at once: what it takes time for happens beside the sale, and beside those
 * that follow.
 */
export async function makeTrouble(scene: Scene, trouble: Trouble): Promise<void> {
  const { world, counter, register, reference } = scene;
  const { clock, history } = world;
  const happens = (text: string): void => history.note("trouble", () => `${reference}: ${text}`);
  if ("afterMs" in trouble) await sleep(clock, trouble.afterMs);
  switch (trouble.is) {
    case "gateway":
      happens(`planned: ${troubleText(trouble)}`);
      return world.traffic.plan(reference, trouble);
    case "gateway-down":
      happens(`the gateway is down for ${trouble.forMs} ms`);
      world.gatewayDownUntil = Math.max(world.gatewayDownUntil, clock.monotonic() + trouble.forMs);
      return;
    case "crash":
      return planCrash(scene, trouble);
    case "unplug":
      return unplug(scene, trouble.forMs, happens);
    case "line":
      happens(`${trouble.fault} on the terminal's line${trouble.after > 0 ? ` after ${trouble.after} frames` : ""}`);
      if (counter.terminal.plugged()) counter.terminal.fault(trouble.fault, trouble.after);
      return;
    case "card-pulled":
      if (counter.terminal.screen().slot.card === null) return;
      happens("the card is pulled out");
      return counter.terminal.removeCard();
    case "red-key":
      happens("the customer presses the red key");
      return counter.terminal.press("CANCEL");
    case "clock-set":
      happens(`the bridge's wall clock is set by ${trouble.byMs} ms`);
      return clock.setWall(clock.now() + trouble.byMs);
    case "disk":
      happens(`the journal's disk takes nothing for ${trouble.forMs} ms`);
      world.witness.diskFull();
      world.diskFullUntil = Math.max(world.diskFullUntil, clock.monotonic() + trouble.forMs);
      return;
    case "cancel":
      return register.cancel(reference);
    case "register-gone":
      happens(`the register is gone for ${trouble.forMs} ms`);
      register.leave(trouble.forMs);
      return world.office.leave(trouble.forMs);
    case "twice":
      return startAgain(scene, trouble.content);
    case "rival":
      return compete(scene, trouble.wants);
  }
}

function planCrash(
  { world, counter, reference, asked }: Scene,
  { point, downMs }: Extract<Trouble, { is: "crash" }>,
): void {
  const keptAll = point.at === "append" && point.durable;
  const spring = (): void => {
    world.history.note("trouble", () => `${reference}: the bridge is killed (${Object.values(point).join(" ")})`);
    world.kill(keptAll ? Number.POSITIVE_INFINITY : 0, downMs);
  };
  if (point.at === "time") world.clock.after(point.afterMs, spring);
  // What has no terminal goes on beside what comes next at this one.
  else
    world.traps.set(reference, asked === undefined || asked.by !== undefined ? reference : counter.id, point, spring);
}

async function unplug(
  { world, counter: { terminal } }: Scene,
  forMs: number,
  happens: (text: string) => void,
): Promise<void> {
  happens(`the terminal is unplugged for ${forMs} ms`);
  if (terminal.plugged()) terminal.fault("unplug");
  await sleep(world.clock, forMs);
  if (!terminal.plugged()) terminal.fault("plug");
}

/**
 * The same reference from a second socket: with the same content it finds the one payment, with other content it is
 * refused.
 */
async function startAgain({ world, register, asked }: Scene, content: "same" | "other"): Promise<void> {
  if (asked === undefined) return;
  if (content === "same") {
    await register.start(asked);
    return;
  }
  const isAccepted = world.witness
    .evidence()
    .some((evidence) => evidence.asked === asked && evidence.acceptedAt !== undefined);
  if (!isAccepted) return;
  const answer = await register.start({ ...asked, amount: asked.amount + 1 });
  if (answer?.ok === true)
    world.witness.broken("reference-reused", asked.reference, "another amount was accepted under the same reference");
}

/** Rivals' amounts are beyond those of the steps (draw.ts), so that theirs are told apart too. */
const RIVAL_MORE = { terminal: 10_000, queue: 20_000, order: 30_000 } as const;

async function compete(
  { world, counter, register, asked }: Scene,
  wants: "terminal" | "queue" | "order",
): Promise<void> {
  if (asked === undefined || asked.of !== undefined || asked.by !== undefined) return;
  const rival = wants === "order" ? register : world.rival;
  const elsewhere = world.counters[(world.counters.indexOf(counter) + 1) % world.counters.length] ?? counter;
  const theirs: Asked = {
    ...asked,
    reference: `${asked.reference}-${wants}`,
    register: rival.caller.register,
    terminal: wants === "order" ? elsewhere.id : counter.id,
    amount: asked.amount + RIVAL_MORE[wants],
    order: wants === "order" ? asked.order : undefined,
    queue: wants === "queue",
  };
  if (world.witness.evidence().some((evidence) => evidence.asked.reference === theirs.reference)) return;
  world.witness.asked(theirs);
  await rival.start(theirs);
}
