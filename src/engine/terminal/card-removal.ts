import type { Cancel } from "../../kit/clock.ts";
import { CARD_LEFT_IN } from "../../payment/view.ts";
import type { EffectPorts } from "../shell/effect-ports.ts";
import type { Mailbox } from "../shell/mailbox.ts";

/** The card that is in the slot has to come out: `taken` runs once it has; where it stays for so long, the payment fails. What is returned calls either off. */
export function askOut({ devices, clock }: Pick<EffectPorts, "devices" | "clock">, mailbox: Mailbox, withinMs: number, taken: () => void): readonly Cancel[] {
  mailbox.show({ code: "REMOVE_CARD" });
  const leftIn = (): void => mailbox.put({ on: "terminal-failed", code: CARD_LEFT_IN, detail: "a card stayed in the slot" });
  return [clock.after(withinMs, leftIn), devices.whenCardTaken(mailbox.payment().accepted.terminal, taken)];
}
