import { granted, refused } from "../../payment/request.ts";
import type { Caller, PaymentChange, Payments } from "../../register/ports.ts";
import type { RollbackWatch } from "../operator/rollback.ts";
import type { PaymentsPorts } from "../service/service-ports.ts";
import type { Change } from "./feed.ts";

/** The events of payments for registers, and the cursors to resume from. */
export function createEventStream(
  { engine, journal }: PaymentsPorts,
  rollback: RollbackWatch,
): Pick<Payments, "cursor" | "shown" | "follow" | "watch"> {
  const { cursors } = journal;
  const wire = ({ cursor, payment }: Change): PaymentChange => ({ cursor: cursors.at(cursor), payment });
  const placeOf = async ({ register }: Caller, after: string | undefined): Promise<number | undefined> => {
    if (after === undefined) return journal.lastNumber();
    const read = await rollback.shown(register, after);
    return read.is === "held" ? read.number : undefined;
  };
  return {
    cursor: async () => cursors.at(await journal.lastNumber()),
    shown: async ({ register }, cursor) => void (await rollback.shown(register, cursor)),
    follow: async (caller, after, changed) => {
      const from = await placeOf(caller, after);
      if (from === undefined)
        return refused("cursor-gone", "after: this bridge never gave out that cursor", "fix-request", "after");
      if (from < (await journal.archivedTo())) {
        return refused(
          "cursor-gone",
          "after: what came after that cursor was archived; read payment.list, then subscribe without it",
          "fix-request",
          "after",
        );
      }
      const following = engine.feed.follow(from, (change) => {
        if (caller.all || change.payment.register === caller.register) changed(wire(change));
      });
      return granted({ ...following, cursor: cursors.at(from) });
    },
    watch: (payment, changed) =>
      engine.feed.live((change) => {
        if (change.payment.id === payment) changed(wire(change));
      }),
  };
}
