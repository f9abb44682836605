import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { simulators } from "../../drivers/simulators.ts";
import type { SimulatorModel } from "../../src/simulator/simulated-terminal.ts";
import { type Program, startProgram } from "../scenarios/program.ts";
import { linesOf, serialNumberOf, takesCard } from "../support/simulated-models.ts";
import type { CardChoice } from "./plan.ts";

/** A simulated terminal as a process of its own, with automatic customers who hold the cards of its wallet. */
export interface Terminal {
  readonly id: string;
  readonly model: SimulatorModel;
  readonly wallet: Wallet;
  /** Its card misbehaves, mostly before the gateway is asked. */
  readonly isOdd: boolean;
  /** From now on customers hold this card of the wallet. */
  holds(card: CardChoice): Promise<void>;
  /** It debits at once, where the others reserve and capture. */
  readonly isSingleMessage: boolean;
  /** Its channel is the shop's own. */
  readonly isShopChannel: boolean;
  /** Its serial device. */
  readonly path: string;
  /** False where the simulator does not take it, because nothing of the kind is there to be done. */
  fault(name: string, after?: number): Promise<boolean>;
  pull(): Promise<boolean>;
  pressRed(): Promise<boolean>;
  /** Plugged in, awake, its slot empty. */
  mend(): Promise<void>;
  readonly program: Program;
}

const screenSchema = z.object({ slot: z.object({ card: z.string().nullable() }) });

/** The cards that come to one terminal: their names in the deck. */
export type Wallet = { readonly usual: string } & { readonly [choice in Exclude<CardChoice, "usual">]?: string };

/**
 * An issuer takes no counter of a card twice, so that no two terminals of a shop have a card in common. Three terminals
 * have good cards besides the others, and the last has one
 * that misbehaves in a way of its own in each shop, mostly before the gateway is asked.
 */
const STEADY: readonly Wallet[] = [
  { usual: "visa-contact", refusing: "contact-declines-after-approval", "without-chip": "visa-contactless" },
  { usual: "mastercard-contact", refusing: "wrong-arpc", "without-chip": "mastercard-contactless" },
  { usual: "visa-contact-cvn18", "without-chip": "magstripe" },
];
const ODD_CARDS = [
  ...(["wrong-pin-once", "visa-contactless-pin", "fallback", "offline-approves", "two-applications"] as const),
  ...(["magstripe-contactless", "offline-declines", "long-data", "blocked-application", "magstripe-pin"] as const),
];

export function walletsOf(shop: number): readonly Wallet[] {
  return [...STEADY, { usual: ODD_CARDS[(shop - 1) % ODD_CARDS.length] ?? "wrong-pin-once" }];
}

const TERMINALS = STEADY.length + 1;
/**
 * The numbers of the terminal that is configured for single messages, and of the one that has no channel of its own.
 */
const SINGLE_MESSAGE = 2;
export const SHOP_CHANNEL = 1;

/**
 * A key identity of its own for each terminal: 59 bits, of which the last eleven stand before the counter (X9.24-1).
 */
function startState(number: number): string {
  const ksn = (use: number): string =>
    `FFFF98765432${((((2 * number + use) << 21) | 1) >>> 0).toString(16).toUpperCase().padStart(8, "0")}`;
  return JSON.stringify({ cards: {}, ksn: { pin: ksn(0), sred: ksn(1) } });
}

/**
 * One that hangs on a serial line, takes every card of the wallet, has a keypad for its PIN (nobody here compares
 * signatures), and tells the card's last word, by which the
 * checker judges. Each terminal of a run is of the next such model.
 */
function modelOf(shop: number, number: number, wallet: Wallet): SimulatorModel {
  const fit = simulators.filter(
    (model) =>
      model.capabilities.onlinePin &&
      !model.capabilities.sealed &&
      linesOf(model).some(({ kind }) => kind === "serial") &&
      Object.values(wallet).every((card) => takesCard(model, card)),
  );
  const model = fit[(TERMINALS * (shop - 1) + number - 1) % fit.length];
  if (model === undefined)
    throw new RangeError(`no simulated terminal takes all of ${Object.values(wallet).join(", ")}`);
  return model;
}

export async function startTerminal(folder: string, shop: number, number: number, wallet: Wallet): Promise<Terminal> {
  const id = `till-${number}`;
  const state = path.join(folder, `${id}.json`);
  fs.writeFileSync(state, startState(number));
  const pty = path.join(folder, id);
  const model = modelOf(shop, number, wallet);
  const serial = serialNumberOf(model, number);
  const program = startProgram(
    "simulate",
    model.id,
    "--pty",
    pty,
    "--control",
    "0",
    "--card",
    wallet.usual,
    "--state",
    state,
    "--serial",
    serial,
  );
  const control = /http:\/\/[0-9.:]+\//.exec(await program.line(/control at/))?.[0] ?? "";
  const ask = async (method: string, call: string, body?: object): Promise<Response> => {
    const sent =
      body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    return fetch(`${control}${call}`, { method, ...sent });
  };
  const did = async (method: string, call: string, body?: object): Promise<boolean> =>
    (await ask(method, call, body)).ok;
  const fault = (name: string, after = 0): Promise<boolean> => did("POST", "faults", { do: name, after });
  const mend = async (): Promise<void> => {
    await fault("plug");
    await fault("reboot");
    const screen = screenSchema.parse(await (await ask("GET", "screen")).json());
    if (screen.slot.card !== null) await did("DELETE", "card");
  };
  let held = wallet.usual;
  const holds = async (choice: CardChoice): Promise<void> => {
    const card = wallet[choice] ?? wallet.usual;
    if (card === held) return;
    held = card;
    await did("POST", "customer", { card });
  };
  return {
    id,
    model,
    wallet,
    isOdd: !STEADY.includes(wallet),
    holds,
    isSingleMessage: number === SINGLE_MESSAGE,
    isShopChannel: number === SHOP_CHANNEL,
    path: pty,
    fault,
    pull: () => did("DELETE", "card"),
    pressRed: () => did("POST", "keys", { keys: "CANCEL" }),
    mend,
    program,
  };
}
