import type { CardWord } from "../../packages/sandbox/testbed/card.ts";
import type { Command } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import { seededRandom } from "../../src/kit/seeded-random.ts";
import type { PaceName } from "../../src/simulator/pace.ts";
import type { Attachment, SimulatedTerminal, SimulatorModel } from "../../src/simulator/simulated-terminal.ts";
import { isEnding } from "../../src/terminal/command-book.ts";
import type { DriverModel, FrameError, TransportKind } from "../../src/terminal/driver.ts";
import { createDriverRunner } from "../../src/terminal/driver-runner.ts";
import { usualOptions } from "../../src/terminal/options.ts";
import { createVirtualClock, type VirtualClock } from "../support/virtual-clock.ts";

/**
 * A driver and its simulated device on one line, on a virtual clock. The line does what a session would: it is opened
 * anew when the driver asks for it.
 */
export interface Shop {
  readonly clock: VirtualClock;
  readonly terminal: SimulatedTerminal;
  readonly notices: readonly Notice[];
  /** What the driver told of frames that went wrong. */
  readonly frameErrors: readonly FrameError[];
  /** Gives a command and runs time until its ending notice came. */
  does(command: Command, limitMs?: number): Promise<Notice>;
  /** Gives a command and comes back at once, with its number. */
  begins(command: Command): number;
  /** Runs time until that command ended. */
  ended(n: number, limitMs?: number): Promise<Notice>;
}

export interface ShopOn {
  readonly model: DriverModel;
  readonly simulator: SimulatorModel;
  readonly transport: TransportKind;
  /** The card that is presented and the PIN typed by itself; undefined: nobody is there. */
  readonly card: string | undefined;
  /** What becomes of each chunk that the device sends, on its way to the driver; absent: it arrives as it is. */
  readonly wire?: (chunk: Uint8Array) => readonly Uint8Array[];
  /** How fast the device is; absent: quick. */
  readonly pace?: PaceName;
  /** A tap of more than so much wants its holder verified. */
  readonly contactlessCvmLimit?: number;
  /** Hears every cryptogram that a card makes. */
  readonly cardSaid?: (word: CardWord) => void;
}

const REOPEN_MS = 1000;
const LIMIT_MS = 300_000;

export async function openShop(on: ShopOn): Promise<Shop> {
  const {
    model,
    simulator,
    transport,
    card,
    contactlessCvmLimit,
    cardSaid,
    pace = "quick",
    wire = (chunk) => [chunk],
  } = on;
  const clock = createVirtualClock(Date.UTC(2026, 0, 15, 10, 15, 0));
  const automatic = card === undefined ? undefined : { card };
  const more = { ...(contactlessCvmLimit !== undefined && { contactlessCvmLimit }), ...(cardSaid && { cardSaid }) };
  const terminal = simulator.create({ clock, random: seededRandom(1), automatic, pace, ...more });
  const notices: Notice[] = [];
  const frameErrors: FrameError[] = [];
  let line: Attachment | undefined;
  let issued = 0;
  const closed = (): void => {
    line?.detach();
    line = undefined;
    runner.feed({ on: "closed" });
    clock.after(REOPEN_MS, open);
  };
  const open = (): void => {
    if (line !== undefined || !terminal.plugged()) return;
    const mine = terminal.attach((chunk) => {
      for (const bytes of wire(chunk)) {
        if (line === mine) runner.feed({ on: "bytes", bytes });
      }
    }, transport);
    line = mine;
    runner.feed({ on: "opened" });
  };
  const runner = createDriverRunner({
    model,
    begin: () => ({
      transport,
      options: { ...usualOptions(model.options), ...simulator.options },
      now: { date: "260115", time: "101500" },
      seed: 1,
    }),
    clock,
    hands: {
      write: (bytes) => line?.receive(bytes),
      notice: (notice) => notices.push(notice),
      link: closed,
      frameError: (error) => frameErrors.push(error),
      crashed: (error) => {
        throw error;
      },
    },
  });
  terminal.onPlug((plugged) => {
    if (plugged) open();
    else if (line !== undefined) closed();
  });
  runner.start();
  open();
  const begins = (command: Command): number => {
    issued += 1;
    runner.feed({ on: "command", n: issued, command });
    return issued;
  };
  const ended = async (n: number, limitMs: number = LIMIT_MS): Promise<Notice> => {
    const ending = (): Notice | undefined => notices.find((notice) => notice.n === n && isEnding(notice));
    await clock.runUntil(() => ending() !== undefined, limitMs);
    const notice = ending();
    if (notice === undefined) throw new Error(`command ${n} did not end`);
    return notice;
  };
  return {
    clock,
    terminal,
    notices,
    frameErrors,
    begins,
    ended,
    does: (command, limitMs) => ended(begins(command), limitMs),
  };
}

export const SALE: Extract<Command, { readonly do: "collect" }> = {
  do: "collect",
  request: {
    amount: 1234,
    currencyNumeric: "978",
    currencyCode: "EUR",
    decimals: 2,
    transactionType: "00",
    interfaces: ["chip"],
    now: { date: "260115", time: "101500" },
    cardMs: 60_000,
    pinMs: 60_000,
  },
};

export const APPROVED: IssuerResponse = { verdict: "approved", arc: "3030", scripts: [] };
