import { z } from "zod";
import type { Answer } from "../fact/answer.ts";
import { channelSchema } from "../fact/operation.ts";

/**
 * The deletion of a stored card that a register asked for: a job of its own and no payment. A payment has a type out of
 * a closed list (contract, section 3), an amount, a
 * currency and an outcome, and whoever adds payments up would count it; a deletion moves no money, and asking for it
 * again can do no harm (role.ts: `freely`), so that all it
 * takes is to be repeated until the gateway has said that the card is gone. Its reference is the register's own, in a
 * list of its own.
 */
export const deletionSchema = z.object({
  register: z.string(),
  reference: z.string(),
  /** The stored card, by the gateway's id of its registration. */
  registration: z.string(),
  /** When it was asked for, epoch milliseconds. */
  at: z.int(),
  /**
   * The channels on which the card may be stored: a gateway knows a registration on the one that it was made on only
   * (gateway-facts 2.4).
   */
  places: z.array(
    z.object({
      channel: channelSchema,
      /** Requests that may have been carried out without a word of it. */
      unheard: z.int().nonnegative(),
      /** What the gateway has said plainly. */
      known: z.enum(["deleted", "absent"]).optional(),
    }),
  ),
});
export type Deletion = z.infer<typeof deletionSchema>;
type Place = Deletion["places"][number];

/**
 * - `deleted`: gone, by this deletion;
 * - `already-deleted`: no channel of this shop has a stored card of that id, and this deletion had nothing to do with it;
 * - `unknown`: not known yet; it goes on.
 */
export type DeletionStatus = "deleted" | "already-deleted" | "unknown";

export function statusOf({ places }: Deletion): DeletionStatus {
  if (places.some(({ known }) => known === "deleted")) return "deleted";
  return places.every(({ known }) => known === "absent") ? "already-deleted" : "unknown";
}

/** The channels that are still to be asked. */
export function placesToAsk(deletion: Deletion): readonly Place[] {
  return statusOf(deletion) === "unknown" ? deletion.places.filter(({ known }) => known === undefined) : [];
}

/** Before a request leaves for that channel: from then on nobody knows what it did until its answer is here. */
export function asking(deletion: Deletion, entityId: string): Deletion {
  return at(deletion, entityId, (place) => ({ ...place, unheard: place.unheard + 1 }));
}

/**
 * After its answer. That no such card is there is this deletion's own doing, where an earlier request of it was never
 * heard of.
 */
export function answeredBy(deletion: Deletion, entityId: string, answer: Answer): Deletion {
  return at(deletion, entityId, (place) => {
    switch (answer.is) {
      case "approved":
        return { ...place, unheard: 0, known: "deleted" };
      case "already-reversed":
        return { ...place, unheard: 0, known: place.unheard > 1 ? "deleted" : "absent" };
      case "not-booked":
      case "declined":
      case "soft-declined":
      case "throttled":
      case "not-reversible":
      case "still-pending":
        return { ...place, unheard: place.unheard - 1 };
      // None of these answers a deletion; what it did is not known.
      case "link":
      case "pending":
      case "duplicate":
      case "auto-reversed":
      case "half-reversed":
      case "unknown":
        return place;
    }
  });
}

function at(deletion: Deletion, entityId: string, change: (place: Place) => Place): Deletion {
  return {
    ...deletion,
    places: deletion.places.map((place) => (place.channel.entityId === entityId ? change(place) : place)),
  };
}
