import type { SeededRandom } from "../../src/kit/seeded-random.ts";
import { pick } from "./everyday.ts";
import type { Follow, Story } from "./kinds.ts";
import type { Conduct, GatewayFault, Misfortune, Moment, Plan } from "./plan.ts";

/**
 * A customer's business that meets just what one of the truths is about (contract, section 3). Nothing in it is more
 * than a day can bring: the moments are chosen, and not left
 * to luck alone.
 */
export interface Ordeal {
  readonly name: string;
  readonly draw: (random: SeededRandom) => Omit<Plan, "number">;
}

const CALM: Conduct = { twice: false, repeats: [], queue: false, allowPartialApproval: false };

/** Booked, and the bridge is not told so. */
export const LOST = ["drop-after", "drop-after", "reset-mid-body", "http-502-html", "truncated-json"];
/** Not booked: nothing arrived, or nobody was there to take it. */
export const NOT_TAKEN = ["drop-before", "http-500", "throttle"];
/** Until after the first query, and not as long as the bridge's unknown window (shop.ts). */
const HIDDEN_MS = { least: 3_000, more: 9_000 };

export const after = (state: Moment["state"], delayMs = 0): Moment => ({ state, delayMs });
/** Before anything is asked for. */
export const ASKED = after("asked");

/** A request is meant by its payment type, or where it has none by the beginning of its path. */
export function fault(
  at: Moment,
  request: string,
  what: GatewayFault["do"],
  more: Pick<GatewayFault, "delayMs"> = {},
): Misfortune {
  const on = request.startsWith("/") ? { path: request } : { paymentType: request };
  return { is: "gateway", at, fault: { on, do: what, ...more } };
}

export const lost = (random: SeededRandom, at: Moment, request: string): Misfortune =>
  fault(at, request, pick(random, LOST));
export const hidden = (random: SeededRandom, at: Moment, request: string): Misfortune =>
  fault(at, request, "hide-from-query", { delayMs: HIDDEN_MS.least + random.below(HIDDEN_MS.more) });

interface Drawn extends Partial<Pick<Plan, "cents" | "card" | "place" | "phone">> {
  readonly first?: Story["first"];
  readonly after?: readonly Follow[];
  readonly conduct?: Partial<Conduct>;
  /** What befalls each payment, the first one first. */
  readonly befalls?: readonly (readonly Misfortune[])[];
}

export function ordeal(name: string, draw: (random: SeededRandom) => Drawn): Ordeal {
  return {
    name,
    draw: (random) => {
      const {
        first = "SALE",
        after: next = [],
        cents,
        conduct,
        befalls = [],
        card = "usual",
        place = "steady",
        phone,
      } = draw(random);
      return {
        story: { first, after: next, weight: 1 },
        cents: cents ?? 100 + random.below(20_000),
        conduct: { ...CALM, ...conduct },
        misfortunes: Array.from({ length: 1 + next.length }, (_, at) => befalls[at] ?? []),
        ...{ card, place, ordeal: name },
        ...(phone !== undefined && { phone }),
      };
    },
  };
}
