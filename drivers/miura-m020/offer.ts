import type { CollectRequest } from "../../src/card/command.ts";
import type { PromptCode } from "../../src/card/notice.ts";

/** How a card may be presented to one collect (PROTOCOL.md 7.10 to 7.14). */
export interface Offer {
  readonly chip: boolean;
  readonly tap: boolean;
  readonly stripe: boolean;
  /** The number is typed; only where nothing else is asked for. */
  readonly keyed: boolean;
  /** The stripe stands in for a chip that could not be read: its service code does not count. */
  readonly fallback: boolean;
}

const NOTHING: Offer = { chip: false, tap: false, stripe: false, keyed: false, fallback: false };

/** What a request offers; undefined where it names nothing that this device reads. */
export function offerOf({ interfaces, again }: Pick<CollectRequest, "interfaces" | "again">): Offer | undefined {
  switch (again) {
    case "fallback":
      return { ...NOTHING, stripe: true, fallback: true };
    case "wrong-pin":
    case "use-chip":
      return { ...NOTHING, chip: true };
    case "chip-unreadable":
    case undefined:
      break;
  }
  const [chip, tap, stripe] = [interfaces.includes("chip"), interfaces.includes("contactless"), interfaces.includes("stripe")];
  if (chip || tap || stripe) return { ...NOTHING, chip, tap, stripe };
  return interfaces.includes("keyed") ? { ...NOTHING, keyed: true } : undefined;
}

/** What the cashier sees while nobody presents anything. */
export function promptFor({ chip, tap }: Offer): PromptCode {
  if (tap) return "INSERT_OR_TAP";
  return chip ? "INSERT_CHIP" : "SWIPE";
}

/** The words on the display for an empty slot; with a tap the device shows words of its own. */
export function wordsFor({ chip, stripe }: Offer): string {
  if (chip && stripe) return "INSERT OR SWIPE CARD";
  return stripe ? "SWIPE CARD" : "INSERT CARD";
}
