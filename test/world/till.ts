import { sleep } from "../../src/kit/clock.ts";
import { NO_TERMINAL } from "../../src/payment/state/card-present.ts";
import type { PaymentView } from "../../src/payment/view-schema.ts";
import type { Asked } from "./checker/evidence.ts";
import { decimalsOf, HOME } from "./checker/money.ts";
import type { Counter } from "./counter.ts";
import { makeTrouble, type Scene } from "./mischief.ts";
import type { Register } from "./register.ts";
import type { Step } from "./script.ts";
import type { World } from "./world.ts";

/**
 * Tries before a cashier gives a payment up; every few of them he switches a terminal off and on that keeps him
 * waiting.
 */
const TRIES = 120;
const TRIES_TO_POWER_CYCLE = 10;
/** At first he tries again at once, then he looks only now and then. */
const PAUSE_MS = 1_000;
const LONG_PAUSE_MS = 10_000;
/**
 * What follows a payment needs no cashier: he goes on with the next one after so many tries, and the bridge with this
 * one.
 */
const TRIES_TO_FOLLOW = 20;

const referenceOf = (n: number): string => `world-${String(n).padStart(4, "0")}`;

/**
 * A till: one step after another, each begun again with the same reference until the bridge has taken and decided it,
 * as registers do that lost their socket.
 */
export async function till(
  world: World,
  counter: Counter,
  register: Register | undefined,
  steps: readonly Step[],
): Promise<void> {
  if (register === undefined) throw new RangeError(`no register at ${counter.id}`);
  for (const step of steps) {
    await sleep(world.clock, step.pauseMs);
    const reference = referenceOf(step.n);
    const asked =
      step.does === "DELETION" ? undefined : askedFor({ world, counter, register }, { ...step, does: step.does });
    const scene = { reference, world, counter, register, ...(asked && { asked }) };
    if (asked !== undefined) world.witness.asked(asked);
    const failed = (cause: unknown): void => world.witness.broken("the-world-itself", reference, String(cause));
    for (const trouble of step.troubles) makeTrouble(scene, trouble).catch(failed);
    if (asked?.elsewhere === true) world.sellElsewhere(asked);
    else if (asked?.by === "link") world.phones.use(asked, step.phone ?? []).catch(failed);
    if (asked === undefined) await playDeletion(world, register, reference, registrationOf(world, step.card));
    else if (asked.elsewhere === true) continue;
    else if (asked.of !== undefined || asked.by !== undefined) await playBeside(world, register, asked);
    else await play(world, counter, register, asked, step.signature);
  }
}

/** Where a step takes place. */
type Place = Pick<Scene, "world" | "counter" | "register">;

function askedFor({ world, counter, register }: Place, step: Step & { readonly does: Asked["does"] }): Asked {
  const { does, amount, by, validForMs, expiresInMs, tip, elsewhere, currency = world.currency } = step;
  const reference = referenceOf(step.n);
  const order = step.of === undefined ? `order of ${reference}` : undefined;
  return {
    ...{
      reference,
      register: register.caller.register,
      terminal: by === undefined && elsewhere !== true ? counter.id : NO_TERMINAL,
      order,
    },
    ...{ does, amount, allowPartialApproval: step.allowPartialApproval === true, queue: false },
    ...(step.createRegistration === true && { createRegistration: true }),
    ...(step.of !== undefined && {
      of: referenceOf(step.of),
      ...bookingOf(world, referenceOf(step.of), step.byGatewayId === true),
    }),
    ...(elsewhere !== undefined && { elsewhere }),
    ...(by !== undefined && { by }),
    ...(by === "stored-card" && { registration: registrationOf(world, step.card) }),
    ...(validForMs !== undefined && { validForMs }),
    ...(expiresInMs !== undefined && { expiresInMs }),
    ...(tip !== undefined && { tip }),
    ...(currency !== undefined && { currency }),
  };
}

/** Whatever no gateway has ever made. */
const NOTHING = "0".repeat(32);

/** How a register names by the gateway what it knows so: from its own journal, or from what the bridge has told. */
function bookingOf({ witness }: World, reference: string, byGatewayId: boolean): Pick<Asked, "ofBooking"> {
  const original = witness.evidence().find(({ asked }) => asked.reference === reference);
  if (original?.asked.elsewhere === true) return { ofBooking: original.rows[0]?.id ?? NOTHING };
  return byGatewayId ? { ofBooking: original?.told?.gatewayId ?? NOTHING } : {};
}

/** The stored card of another step, as far as the registers know of it. */
function registrationOf({ witness }: World, card: number | undefined): string {
  const told = witness
    .evidence()
    .find(({ asked }) => card !== undefined && asked.reference === referenceOf(card))?.told;
  return (told?.decision === "approved" ? told.registrationId : undefined) ?? NOTHING;
}

/** Asks until it is known; one that takes its time is asked about once more in the end. */
async function playDeletion(world: World, register: Register, reference: string, registration: string): Promise<void> {
  world.witness.deletions.asked(reference, registration);
  world.traffic.deleting(registration, reference);
  world.deletions.push({ reference, registration, register });
  for (let tries = 1; tries <= TRIES_TO_FOLLOW; tries += 1) {
    const said = await register.deleteCard(reference, registration);
    if (said !== undefined && said !== "unknown") return;
    await sleep(world.clock, 1_000);
  }
}

async function play(
  world: World,
  counter: Counter,
  register: Register,
  asked: Asked,
  signature: Step["signature"],
): Promise<void> {
  const evidence = world.witness.evidence().find((one) => one.asked === asked);
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const started = await register.start(asked);
    if (isSenseless(asked) && started?.ok === false && started.refusal.advice === "fix-request") return;
    const view = started?.ok === true ? await register.waitForDecision(asked.reference) : undefined;
    if (view?.prompt?.code === "SIGN" && signature !== "forgotten")
      await register.judgeSignature(asked.reference, signature !== "refused");
    if (evidence?.decision !== undefined) return;
    await sleep(world.clock, tries <= TRIES_TO_POWER_CYCLE ? PAUSE_MS : LONG_PAUSE_MS);
    if (tries % TRIES_TO_POWER_CYCLE === 0 && isTerminalsTurn(started, view)) await powerCycle(world, counter);
  }
  // A refund whose card is done waits for the gateway's word alone, and that may take days.
  if (asked.does === "REFUND" && evidence?.told?.state === "RESOLVING") return;
  world.witness.broken(
    "decided-in-time",
    asked.reference,
    `not decided after ${TRIES} tries: ${evidence?.told?.state ?? "never accepted"}`,
  );
}

/** No bridge takes that, however often it is asked. */
function isSenseless({ tip = 0, amount, currency = HOME }: Asked): boolean {
  return tip > amount || decimalsOf(currency) === 3;
}

/** The bridge is there, and it is not the gateway or the disk that it waits for. */
function isTerminalsTurn(started: Awaited<ReturnType<Register["start"]>>, view: PaymentView | undefined): boolean {
  if (started?.ok === false) return started.refusal.code.startsWith("terminal-");
  return (
    started?.ok === true && view?.state !== "AUTHORIZING" && view?.state !== "RESOLVING" && view?.state !== "REVERSING"
  );
}

/** What needs no terminal: of it the cashier sees whether it was taken and what becomes of it soon. */
async function playBeside(world: World, register: Register, asked: Asked): Promise<void> {
  const evidence = world.witness.evidence().find((one) => one.asked === asked);
  for (let tries = 1; tries <= TRIES_TO_FOLLOW; tries += 1) {
    const started = await register.start(asked);
    if (started?.ok === false && started.refusal.advice === "fix-request") return;
    if (started?.ok === true) await register.waitForDecision(asked.reference);
    if (evidence?.decision !== undefined) return;
    await sleep(world.clock, 1_000);
  }
}

export async function powerCycle({ clock, history }: World, { id, terminal }: Counter): Promise<void> {
  history.note("trouble", () => `${id}: the cashier switches the terminal off and on`);
  if (!terminal.plugged()) terminal.fault("plug");
  terminal.fault("reboot");
  await sleep(clock, 2_000);
}
