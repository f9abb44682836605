import type { Notice } from "../../card/notice.ts";
import type { Cancel } from "../../kit/clock.ts";
import { amountText, currencyOf } from "../../kit/money.ts";
import { bookedAmount, type Payment } from "../../payment/state.ts";
import type { EffectPorts } from "../shell/effect-ports.ts";
import type { Mailbox } from "../shell/mailbox.ts";
import { isEnding } from "./device.ts";

const LINES = {
  approved: ["APPROVED"],
  "not-approved": ["NOT APPROVED"],
  undecided: ["ASK THE CASHIER"],
} as const;

/** The outcome stays visible to the cashier until the terminal is free. */
const PROMPTS = { approved: "APPROVED", "not-approved": "NOT_APPROVED", undecided: undefined } as const;

/**
 * Shows the outcome, asks for the card's removal, waits for an empty slot up to a limit, sends idle, then ends the
 * lease.
 */
export function release(ports: EffectPorts, mailbox: Mailbox, show: keyof typeof LINES): Cancel {
  const { id, terminal } = mailbox.payment().accepted;
  let stopped = false;
  let leaveSlot: Cancel = () => undefined;
  let stopTimer: Cancel = () => undefined;

  const then = (command: Parameters<typeof ports.devices.begin>[1], run: () => void): void => {
    ports.devices.begin(terminal, command, (notice: Notice) => {
      if (isEnding(notice) && !stopped) run();
    });
  };
  const tell = (): void => {
    const isCardIn = ports.devices.isCardIn(terminal);
    const code = PROMPTS[show];
    if (code !== undefined) mailbox.show(isCardIn ? { code, removeCard: true } : { code });
    else if (isCardIn) mailbox.show({ code: "REMOVE_CARD" });
  };
  const idle = (): void => {
    leaveSlot();
    stopTimer();
    tell();
    ports.devices.forget(terminal);
    then({ do: "idle" }, () => {
      mailbox.show(undefined);
      mailbox.put({ on: "released" });
      ports.leases.giveBack(terminal, id);
    });
  };
  const askCardOut = (): void => {
    tell();
    stopTimer = ports.clock.after(ports.removalMs, idle);
    leaveSlot = ports.devices.whenSlotEmpty(terminal, idle);
  };
  const words = show === "approved" ? approvedWords(mailbox.payment()) : LINES[show];
  const lines = ports.devices.isCardIn(terminal) ? [...words, "PLEASE REMOVE CARD"] : words;
  tell();
  // Our displays show "Approved" only here, after the outcome is durable.
  then({ do: "display", lines, meaning: show }, askCardOut);
  return () => {
    stopped = true;
    leaveSlot();
    stopTimer();
  };
}

/**
 * After a partial approval, the customer must see the amount: the display named the whole, and the rest is still owed.
 */
function approvedWords(payment: Payment): readonly string[] {
  const { accepted, concluded } = payment;
  const [amount, currency] = [bookedAmount(payment), currencyOf(accepted.currency)];
  if (concluded?.outcome !== "PARTIALLY_APPROVED" || amount === undefined || currency === undefined)
    return LINES.approved;
  return ["APPROVED IN PART", amountText({ amount, decimals: currency.decimals, currencyCode: currency.code })];
}
