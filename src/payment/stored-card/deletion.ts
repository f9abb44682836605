import { z } from "zod";
import type { Answer } from "../fact/answer.ts";
import { channelSchema } from "../fact/operation.ts";

/** Deletes a stored card (DR). No money moves: a job, not a payment, repeated until confirmed (decision 20). */
export const deletionSchema = z.object({
  register: z.string(),
  reference: z.string(),
  registration: z.string(),
  at: z.int(),
  /** A registration exists on one channel only, which the register does not name: each is asked. */
  places: z.array(
    z.object({
      channel: channelSchema,
      /** DRs without a clear answer, which may have deleted the card. It may also be another channel's: all must tell. */
      unheard: z.int().nonnegative(),
      known: z.enum(["deleted", "absent"]).optional(),
    }),
  ),
});
export type Deletion = z.infer<typeof deletionSchema>;
type Place = Deletion["places"][number];

export type DeletionStatus = "deleted" | "already-deleted" | "unknown";

export function statusOf({ places }: Deletion): DeletionStatus {
  if (places.some(({ known }) => known === "deleted")) return "deleted";
  if (places.some(({ known }) => known === undefined)) return "unknown";
  return places.every(({ unheard }) => unheard === 0) ? "already-deleted" : "deleted";
}

export function placesToAsk(deletion: Deletion): readonly Place[] {
  return statusOf(deletion) === "unknown" ? deletion.places.filter(({ known }) => known === undefined) : [];
}

export function asking(deletion: Deletion, entityId: string): Deletion {
  return at(deletion, entityId, (place) => ({ ...place, unheard: place.unheard + 1 }));
}

export function answeredBy(deletion: Deletion, entityId: string, answer: Answer): Deletion {
  return at(deletion, entityId, (place) => {
    switch (answer.is) {
      case "approved":
        return { ...place, unheard: 0, known: "deleted" };
      case "already-reversed":
        return { ...place, unheard: place.unheard - 1, known: "absent" };
      case "not-booked":
      case "declined":
      case "soft-declined":
      case "throttled":
      case "not-reversible":
      case "still-pending":
        return { ...place, unheard: place.unheard - 1 };
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
