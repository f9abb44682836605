import type { Capabilities } from "./capabilities.ts";
import type { CollectRequest } from "./command.ts";
import type { Notice, PromptCode } from "./notice.ts";

/** Ways to present a card for one collect. */
export interface Offer {
  readonly chip: boolean;
  readonly tap: boolean;
  readonly magstripe: boolean;
  /** Keyed entry; only if no other way is requested. */
  readonly keyed: boolean;
  /** The magstripe replaces an unreadable chip: its service code is ignored. */
  readonly fallback: boolean;
}

const NOTHING: Offer = { chip: false, tap: false, magstripe: false, keyed: false, fallback: false };

/** The requested ways that the device supports; undefined: none. */
export function offerOf(
  { interfaces, again }: Pick<CollectRequest, "interfaces" | "again">,
  can: Capabilities["interfaces"],
): Offer | undefined {
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

/** The cashier's prompt while no card is presented. */
export function promptFor({ chip, tap, keyed }: Offer): PromptCode {
  if (keyed) return "ENTER_CARD_NUMBER";
  if (tap) return chip ? "INSERT_OR_TAP" : "TAP";
  return chip ? "INSERT_CHIP" : "SWIPE";
}

const BESIDE_SWIPE: readonly PromptCode[] = ["INSERT_OR_TAP", "INSERT_CHIP", "TAP"];

/** The notice of a prompt; it also says whether a swipe is accepted. */
export function promptNotice(n: number, prompt: PromptCode, { magstripe }: Pick<Offer, "magstripe">): Notice {
  return { n, on: "prompt", prompt, ...(magstripe && BESIDE_SWIPE.includes(prompt) && { swipe: true as const }) };
}

/** The text of a host-drawn display while the slot is empty. */
export function wordsFor({ chip, tap, magstripe }: Offer): string {
  const ways = [...(chip ? ["INSERT"] : []), ...(tap ? ["TAP"] : []), ...(magstripe ? ["SWIPE"] : [])];
  const last = ways.pop() ?? "INSERT";
  return `${ways.length === 0 ? last : `${ways.join(", ")} OR ${last}`} CARD`;
}
