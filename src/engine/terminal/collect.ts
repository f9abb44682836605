import type { Notice, PromptCode } from "../../card/notice.ts";
import type { Cancel } from "../../kit/clock.ts";
import { cardWaitMs } from "../../payment/state.ts";
import type { EffectPorts } from "../shell/effect-ports.ts";
import type { Mailbox } from "../shell/mailbox.ts";
import { askOut } from "./card-removal.ts";
import { collectRequest } from "./collect-request.ts";
import { isEnding } from "./device.ts";

/*
 * Asks for a card. Until the terminal has reported its slot, it may hold an earlier payment's card, which it would read
 * at once. A chip card therefore counts only if its insertion was seen; any other is ejected and must be inserted
 * again.
 */

/** A terminal reports a card already in its slot this soon after asking. Nobody inserts a card that fast. */
const TOLD_AT_ONCE_MS = 400;
/**
 * A card already in the slot is read this soon. For an unreported slot, only a later reading proves a new insertion.
 */
const READ_AT_ONCE_MS = 5_000;
/** Check again this long after ejecting from an unreported slot: its removal may never be reported. */
const LOOK_AGAIN_MS = 5_000;

/** One request for a card, which may need several commands. */
interface Asking {
  readonly ports: EffectPorts;
  readonly mailbox: Mailbox;
  readonly hear: (notice: Notice) => void;
  /** End of the wait for a card (monotonic), however often one is ejected meanwhile. */
  readonly until: number;
  readonly waits: Cancel[];
}

/** `hear` gets only notices of this payment, never of a card left in the slot. */
export function collect(ports: EffectPorts, mailbox: Mailbox, hear: (notice: Notice) => void): Cancel {
  const asking: Asking = {
    ports,
    mailbox,
    hear,
    until: ports.clock.monotonic() + cardWaitMs(mailbox.payment()),
    waits: [],
  };
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

/** Handles the notices of a collect while the slot is in doubt. */
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
    if (prompt === "PROCESSING" && askedAt !== undefined)
      isSeenComing ||= clock.monotonic() - askedAt >= READ_AT_ONCE_MS;
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

/** False if the payment was cancelled meanwhile: it asks for no more cards. */
function isWanted({ mailbox }: Asking): boolean {
  const { ending, terminal } = mailbox.payment();
  return ending === undefined && terminal.at === "collecting";
}

/** The card in the slot must be removed before the next request. */
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
