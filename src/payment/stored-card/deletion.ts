import { z } from "zod";
import type { Answer } from "../fact/answer.ts";
import { channelSchema } from "../fact/operation.ts";

/** A job, not a payment (decision 20), repeated until the gateway confirms. */
export const deletionSchema = z.object({
  register: z.string(),
  reference: z.string(),
  registration: z.string(),
  /** Epoch milliseconds. */
  at: z.int(),
  /** A registration exists only on the channel where it was made. */
  places: z.array(
    z.object({
      channel: channelSchema,
      /** Requests without an answer, which may have deleted the card. */
      unheard: z.int().nonnegative(),
      known: z.enum(["deleted", "absent"]).optional(),
    }),
  ),
});
export type Deletion = z.infer<typeof deletionSchema>;
type Place = Deletion["places"][number];

/** `already-deleted`: no channel had the card. */
export type DeletionStatus = "deleted" | "already-deleted" | "unknown";

export function statusOf({ places }: Deletion): DeletionStatus {
  if (places.some(({ known }) => known === "deleted")) return "deleted";
  return places.every(({ known }) => known === "absent") ? "already-deleted" : "unknown";
}

export function placesToAsk(deletion: Deletion): readonly Place[] {
  return statusOf(deletion) === "unknown" ? deletion.places.filter(({ known }) => known === undefined) : [];
}

export function asking(deletion: Deletion, entityId: string): Deletion {
  return at(deletion, entityId, (place) => ({ ...place, unheard: place.unheard + 1 }));
}

/** If an earlier request had no answer, "no such card" means that it deleted the card. */
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
      // These answers tell nothing about the card.
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
