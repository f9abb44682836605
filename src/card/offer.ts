import type { Capabilities } from "./capabilities.ts";
import type { CollectRequest } from "./command.ts";
import type { Notice, PromptCode } from "./notice.ts";

/** How a card may be presented to one collect. */
export interface Offer {
  readonly chip: boolean;
  readonly tap: boolean;
  readonly magstripe: boolean;
  /** The number is typed; only where nothing else is asked for. */
  readonly keyed: boolean;
  /** The magstripe stands in for a chip that could not be read: its service code does not count. */
  readonly fallback: boolean;
}

const NOTHING: Offer = { chip: false, tap: false, magstripe: false, keyed: false, fallback: false };

/** What a request offers at a device that can read `can`; undefined where it asks for nothing of that. */
export function offerOf({ interfaces, again }: Pick<CollectRequest, "interfaces" | "again">, can: Capabilities["interfaces"]): Offer | undefined {
  switch (again) {
    case "fallback":
      return can.includes("stripe") ? { ...NOTHING, magstripe: true, fallback: true } : undefined;
    case "wrong-pin":
    case "use-chip":
      return can.includes("chip") ? { ...NOTHING, chip: true } : undefined;
    case "chip-unreadable":
    case undefined:
      break;
  }
  const wants = (way: CollectRequest["interfaces"][number]): boolean => interfaces.includes(way) && can.includes(way);
  const [chip, tap, magstripe] = [wants("chip"), wants("contactless"), wants("stripe")];
  if (chip || tap || magstripe) return { ...NOTHING, chip, tap, magstripe };
  return wants("keyed") ? { ...NOTHING, keyed: true } : undefined;
}

/** What the cashier sees while nobody presents anything. */
export function promptFor({ chip, tap, keyed }: Offer): PromptCode {
  if (keyed) return "ENTER_CARD_NUMBER";
  if (tap) return chip ? "INSERT_OR_TAP" : "TAP";
  return chip ? "INSERT_CHIP" : "SWIPE";
}

const BESIDE_SWIPE: readonly PromptCode[] = ["INSERT_OR_TAP", "INSERT_CHIP", "TAP"];

/** The notice of a prompt, which says where the card may be swiped as well. */
export function promptNotice(n: number, prompt: PromptCode, { magstripe }: Pick<Offer, "magstripe">): Notice {
  return { n, on: "prompt", prompt, ...(magstripe && BESIDE_SWIPE.includes(prompt) && { swipe: true as const }) };
}

/** The words on a display that the host draws, for as long as the slot is empty. */
export function wordsFor({ chip, tap, magstripe }: Offer): string {
  const ways = [...(chip ? ["INSERT"] : []), ...(tap ? ["TAP"] : []), ...(magstripe ? ["SWIPE"] : [])];
  const last = ways.pop() ?? "INSERT";
  return `${ways.length === 0 ? last : `${ways.join(", ")} OR ${last}`} CARD`;
}
