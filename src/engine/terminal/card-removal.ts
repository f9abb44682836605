import type { Cancel } from "../../kit/clock.ts";
import { CARD_LEFT_IN } from "../../payment/view.ts";
import type { EffectPorts } from "../shell/effect-ports.ts";
import type { Mailbox } from "../shell/mailbox.ts";

/**
 * Asks the customer to remove the card: `taken` runs once it is out. After `withinMs` the payment fails. The returned
 * functions cancel both.
 */
export function askOut(
  { devices, clock }: Pick<EffectPorts, "devices" | "clock">,
  mailbox: Mailbox,
  withinMs: number,
  taken: () => void,
): readonly Cancel[] {
  mailbox.show({ code: "REMOVE_CARD" });
  const leftIn = (): void =>
    mailbox.put({ on: "terminal-failed", code: CARD_LEFT_IN, detail: "a card stayed in the slot" });
  return [clock.after(withinMs, leftIn), devices.whenCardTaken(mailbox.payment().accepted.terminal, taken)];
}
