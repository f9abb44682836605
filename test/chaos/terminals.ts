import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { type Program, startProgram } from "../scenarios/program.ts";

/** A simulated terminal as a process of its own, with an automatic customer who always holds the same card. */
export interface Terminal {
  readonly id: string;
  readonly card: string;
  /** Its card misbehaves, mostly before the gateway is asked. */
  readonly isOdd: boolean;
  /** It debits at once, where the others reserve and capture. */
  readonly isSingleMessage: boolean;
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

/**
 * The cards of one shop's terminals. An issuer takes no counter of a card twice, so that no two terminals of a shop hold the same one; three are good ones, and the last
 * misbehaves in a way of its own in each shop.
 */
const GOOD_CARDS = ["visa-contact", "mastercard-contact", "visa-contact-cvn18"] as const;
const ODD_CARDS = [
  ...(["wrong-pin-once", "visa-contactless", "contact-declines-after-approval", "fallback", "magstripe"] as const),
  ...(["wrong-arpc", "mastercard-contactless", "offline-approves", "offline-declines", "blocked-application"] as const),
];

export function cardsOf(shop: number): readonly string[] {
  return [...GOOD_CARDS, ODD_CARDS[(shop - 1) % ODD_CARDS.length] ?? "wrong-pin-once"];
}

/** The number of the terminal that is configured for single messages. */
const SINGLE_MESSAGE = 2;

/** A key identity of its own for each terminal: 59 bits, of which the last eleven stand before the counter (X9.24-1). */
function startState(number: number): string {
  const ksn = (use: number): string => `FFFF98765432${((((2 * number + use) << 21) | 1) >>> 0).toString(16).toUpperCase().padStart(8, "0")}`;
  return JSON.stringify({ cards: {}, ksn: { pin: ksn(0), sred: ksn(1) } });
}

export async function startTerminal(folder: string, number: number, card: string): Promise<Terminal> {
  const id = `till-${number}`;
  const state = path.join(folder, `${id}.json`);
  fs.writeFileSync(state, startState(number));
  const pty = path.join(folder, id);
  const serial = String(10_000_000 + number);
  const program = startProgram("simulate", "miura-m020", "--pty", pty, "--control", "0", "--card", card, "--state", state, "--serial", serial);
  const control = /http:\/\/[0-9.:]+\//.exec(await program.line(/control at/))?.[0] ?? "";
  const ask = async (method: string, call: string, body?: object): Promise<Response> => {
    const sent = body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    return fetch(`${control}${call}`, { method, ...sent });
  };
  const did = async (method: string, call: string, body?: object): Promise<boolean> => (await ask(method, call, body)).ok;
  const fault = (name: string, after = 0): Promise<boolean> => did("POST", "faults", { do: name, after });
  const mend = async (): Promise<void> => {
    await fault("plug");
    await fault("reboot");
    const screen = screenSchema.parse(await (await ask("GET", "screen")).json());
    if (screen.slot.card !== null) await did("DELETE", "card");
  };
  const isOdd = !GOOD_CARDS.some((good) => good === card);
  return {
    id,
    card,
    isOdd,
    isSingleMessage: number === SINGLE_MESSAGE,
    path: pty,
    fault,
    pull: () => did("DELETE", "card"),
    pressRed: () => did("POST", "keys", { keys: "CANCEL" }),
    mend,
    program,
  };
}
