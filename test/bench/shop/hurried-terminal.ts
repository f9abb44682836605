import { miuraM020Simulator } from "../../../drivers/miura-m020/simulator.ts";
import { createMemory } from "../../../packages/sandbox/testbed/memory.ts";
import type { Clock } from "../../../src/kit/clock.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { serveSerial } from "../../../src/simulator/serial-line.ts";
import { rememberedBy } from "../../scenarios/terminal.ts";
import { moment } from "../moment.ts";
import type { Mark } from "./marks.ts";

/** Pauses of the simulated customer and of the device's own work are shorter; time limits are longer. */
const LONGEST_PAUSE_MS = 1_000;

/** A clock without pauses: what would wait for a person or a device runs in the next turn. */
const hurriedClock: Clock = {
  ...systemClock,
  after: (delayMs, run) => {
    if (delayMs > LONGEST_PAUSE_MS) return systemClock.after(delayMs, run);
    const next = setImmediate(run);
    return () => clearImmediate(next);
  },
};

/** First byte of the answers that a sale waits for (drivers/miura-m020/PROTOCOL.md 4.1). */
const ONLINE_REQUEST = 0xe4;
const CARD_AGREED = 0xe3;
const CHAINED = 0x01;
const UNSOLICITED = 0x40;
/** CONTINUE TRANSACTION. */
const CONTINUE = Buffer.of(0xde, 0xd2);

/** A simulated Miura at a real pseudo-terminal, whose customer and chip take no time. */
export function openHurriedTerminal(
  number: number,
  path: string,
  mark: (what: Mark["what"], at: number) => void,
): void {
  const terminal = miuraM020Simulator.create({
    clock: hurriedClock,
    random: systemRandom,
    automatic: { card: "visa-contact" },
    memory: createMemory(rememberedBy(number)),
    serialNumber: String(10_000_000 + number),
  });
  let answer: number | undefined;
  // Each call is one packet: address, flags, length, data, checksum (PROTOCOL.md 2.1).
  const wrote = (bytes: Uint8Array): void => {
    const [, flags = 0, , first] = bytes;
    if ((flags & UNSOLICITED) !== 0) return;
    answer ??= first;
    if ((flags & CHAINED) !== 0) return;
    if (answer === ONLINE_REQUEST) mark("card-read", moment());
    if (answer === CARD_AGREED) mark("card-agreed", moment());
    answer = undefined;
  };
  terminal.onLine({
    opened: () => undefined,
    lost: () => undefined,
    received: wrote,
    sent: (bytes) => {
      if (Buffer.from(bytes).includes(CONTINUE)) mark("card-told", moment());
    },
  });
  serveSerial(terminal, path);
}
