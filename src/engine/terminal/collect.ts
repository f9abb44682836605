import type { Notice, PromptCode } from "../../card/notice.ts";
import type { Cancel } from "../../kit/clock.ts";
import { cardWaitMs } from "../../payment/state.ts";
import type { EffectPorts } from "../shell/effect-ports.ts";
import type { Mailbox } from "../shell/mailbox.ts";
import { askOut } from "./card-removal.ts";
import { collectRequest } from "./collect-request.ts";
import { isEnding } from "./device.ts";

/*
 * A card is asked for. Where the terminal has not told of its slot since it was connected, the card of an earlier payment may be in it, and a terminal reads what is in
 * its slot at once: so a chip counts only where it was seen to come. Any other is asked out, and put in again by whose it is.
 */

/** A terminal that tells of a card which is in already does so this soon after it began to ask for one; no person has put one in by then. */
const TOLD_AT_ONCE_MS = 400;
/** And a card that is in already is being read this soon. Of a slot that is never told of, this alone shows that a card was put in now. */
const READ_AT_ONCE_MS = 5_000;
/** A card that was asked out of a slot which nothing was told of is looked for again after this time: the word that it is gone may never come. */
const LOOK_AGAIN_MS = 5_000;

/** One asking for a card, which may take several commands. */
interface Asking {
  readonly ports: EffectPorts;
  readonly mailbox: Mailbox;
  readonly hear: (notice: Notice) => void;
  /** Until when a card is waited for (monotonic), however often one is asked out meanwhile. */
  readonly until: number;
  readonly waits: Cancel[];
}

/** `hear` gets what belongs to the payment: never the card that was left in. */
export function collect(ports: EffectPorts, mailbox: Mailbox, hear: (notice: Notice) => void): Cancel {
  const asking: Asking = { ports, mailbox, hear, until: ports.clock.monotonic() + cardWaitMs(mailbox.payment()), waits: [] };
  begin(asking);
  return () => stopWaiting(asking);
}

function stopWaiting({ waits }: Asking): void {
  for (const stop of waits.splice(0)) stop();
}

function begin(asking: Asking): void {
  const { ports, mailbox, hear, until } = asking;
  const { devices, clock } = ports;
  const payment = mailbox.payment();
  const { terminal } = payment.accepted;
  const request = { ...collectRequest(ports, payment), cardMs: Math.max(0, until - clock.monotonic()) };
  if (!request.interfaces.includes("chip") || !(devices.isDoubted(terminal) || devices.isForgotten(terminal))) {
    devices.begin(terminal, { do: "collect", request }, hear);
    return;
  }
  if (devices.isForgotten(terminal)) waitForEmpty(asking);
  else devices.begin(terminal, { do: "collect", request }, doubting(asking));
}

/** Hears a collect whose slot is in doubt. */
function doubting(asking: Asking): (notice: Notice) => void {
  const { ports, mailbox, hear, waits } = asking;
  const { devices, clock } = ports;
  const { terminal } = mailbox.payment().accepted;
  let isCalledOff = false;
  const callOff = (): void => {
    isCalledOff = true;
    stopWaiting(asking);
    devices.begin(terminal, { do: "cancel" }, (notice) => {
      if (!isEnding(notice)) return;
      if (notice.on === "fault") hear(notice);
      else waitForEmpty(asking);
    });
  };
  let askedAt: number | undefined;
  let isSeenComing = false;
  const prompted = (prompt: PromptCode): void => {
    if (askedAt === undefined && (prompt === "INSERT_OR_TAP" || prompt === "INSERT_CHIP")) {
      askedAt = clock.monotonic();
      waits.push(clock.after(TOLD_AT_ONCE_MS, () => void waits.push(devices.awaitCard(terminal))));
    }
    if (prompt === "PROCESSING" && askedAt !== undefined) isSeenComing ||= clock.monotonic() - askedAt >= READ_AT_ONCE_MS;
  };
  waits.push(devices.whenLeftIn(terminal, callOff));
  return (notice) => {
    if (isCalledOff) return;
    if (notice.on === "prompt") prompted(notice.prompt);
    if (notice.on === "card" && notice.card.interface === "chip" && devices.isDoubted(terminal) && !isSeenComing) {
      callOff();
      return;
    }
    if (isEnding(notice)) stopWaiting(asking);
    hear(notice);
  };
}

/** A payment that was called off meanwhile asks for no card any more. */
function isWanted({ mailbox }: Asking): boolean {
  const { ending, terminal } = mailbox.payment();
  return ending === undefined && terminal.at === "collecting";
}

/** The card that is in has to come out before one is asked for again. */
function waitForEmpty(asking: Asking): void {
  const { ports, mailbox, until, waits } = asking;
  const { devices, clock } = ports;
  if (!isWanted(asking)) return;
  const { terminal } = mailbox.payment().accepted;
  if (!devices.isForgotten(terminal) && !devices.isDoubted(terminal)) {
    begin(asking);
    return;
  }
  const again = (): void => {
    stopWaiting(asking);
    if (isWanted(asking)) begin(asking);
  };
  const leftMs = Math.max(0, until - clock.monotonic());
  waits.push(...askOut(ports, mailbox, leftMs, again));
  if (devices.isDoubted(terminal) && leftMs > LOOK_AGAIN_MS) waits.push(clock.after(LOOK_AGAIN_MS, again));
}
