import { describe, expect, test } from "vitest";
import type { GatewayOrder } from "../../../src/engine/ports.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import type { Answer, Found } from "../../../src/payment/fact/answer.ts";
import type { OriginalKey } from "../../../src/payment/fact/request.ts";
import type { FollowUpType } from "../../../src/payment/follow-up/follow-up.ts";
import { openCounter, tillOfAnyBooking } from "../../support/counter.ts";
import { approval, silence } from "../../support/sale.ts";

/*
 * A gateway that approves whatever it is sent, shows a booking late, and loses some of its replies: whatever registers
 * ask for, by whichever of the ids, at once or one after the
 * other, this bridge alone keeps it to what was captured.
 */

interface Row extends Found {
  readonly amount: number;
  readonly visibleAt: number;
}

const MINUTE = 60_000;
const TYPES: readonly FollowUpType[] = ["CAPTURE", "VOID", "LINKED_REFUND", "LINKED_REFUND", "INCREMENT"];

const euros = (amount: number, id: string): Answer => ({ ...approval(amount, id), ...({ currency: "EUR" } as const) });

function gatewayOf(random: ReturnType<typeof seededRandom>, now: () => number) {
  const rows: Row[] = [];
  const book = (
    paymentType: string,
    amount: number,
    referencedId?: string,
    merchantTransactionId?: string,
    lagMs = 0,
  ): string => {
    const id = `${paymentType}${rows.length}`;
    const names = {
      ...(referencedId !== undefined && { referencedId }),
      ...(merchantTransactionId !== undefined && { merchantTransactionId }),
    };
    rows.push({ id, paymentType, amount, ...names, answer: euros(amount, id), visibleAt: now() + lagMs });
    return id;
  };
  const answer = ({ operation }: GatewayOrder): Answer => {
    const { paymentType, referencedId, merchantTransactionId, reverses = 0, amount = reverses } = operation;
    const isLost = random.below(5) === 0;
    // What nobody heard of is shown within the window in which it is looked for; else it would be called failed, and
    // asked for anew by right.
    const lagMs = random.below(isLost ? 10 * MINUTE : 20 * 60 * MINUTE);
    const id = book(paymentType, amount, referencedId, merchantTransactionId, lagMs);
    return isLost ? silence : euros(amount, id);
  };
  return { rows, book, answer, shown: (): readonly Row[] => rows.filter(({ visibleAt }) => visibleAt <= now()) };
}

/** What of this gateway's book breaks the law. */
function excesses(rows: readonly Row[]): readonly string[] {
  const takenBack = (id: string): boolean => rows.some((row) => row.paymentType === "RV" && row.referencedId === id);
  const total = (paymentType: string, id: string): number =>
    rows
      .filter((row) => row.paymentType === paymentType && row.referencedId === id && !takenBack(row.id))
      .reduce((sum, { amount }) => sum + amount, 0);
  return rows.flatMap((row) => {
    const { id, paymentType, amount, referencedId } = row;
    if (paymentType === "CP" || paymentType === "DB") {
      const refunded = total("RF", id);
      return refunded > amount || (refunded > 0 && takenBack(id))
        ? [`${refunded} of ${amount} refunded of ${id}${takenBack(id) ? ", which is reversed" : ""}`]
        : [];
    }
    if (paymentType !== "PA" || referencedId !== undefined) return [];
    const captured = total("CP", id);
    const reserved = amount + total("PA", id);
    return captured > reserved || (captured > 0 && takenBack(id))
      ? [`${captured} of ${reserved} captured of ${id}${takenBack(id) ? ", which is reversed" : ""}`]
      : [];
  });
}

async function played(seed: number): Promise<{ readonly rows: readonly Row[]; readonly accepted: number }> {
  const random = seededRandom(seed);
  const now = { ms: () => 0 };
  const gateway = gatewayOf(random, () => now.ms());
  const room = gateway.book("PA", 1000);
  gateway.book("CP", 400, room);
  const counter = openCounter({
    answer: gateway.answer,
    search: () => ({ is: "found", bookings: gateway.shown() }),
    hostMs: 200,
  });
  now.ms = () => counter.clock.now();
  const references: string[] = [];
  const key = (): OriginalKey => {
    const gatewayId = gateway.rows[random.below(gateway.rows.length)]?.id ?? room;
    return references.length > 0 && random.below(4) === 0
      ? { name: references[random.below(references.length)] ?? "" }
      : { gatewayId };
  };
  for (let turn = 0; turn < 40; turn += 1) {
    const asked = Array.from({ length: 1 + random.below(2) }, (_, at) => {
      const reference = `F-${turn}-${at}`;
      const type = TYPES[random.below(TYPES.length)] ?? "VOID";
      const amount =
        type === "INCREMENT" || (type !== "VOID" && random.below(2) === 0)
          ? { amount: `${1 + random.below(5)}.00` }
          : {};
      return counter.payments
        .followUp(tillOfAnyBooking, { type, reference, of: key(), ...amount, fingerprint: reference })
        .then(({ ok }) => {
          if (ok) references.push(reference);
        });
    });
    await counter.clock.advance([100, 90_000, 90_000, 20 * MINUTE][random.below(4)] ?? 0);
    if (turn % 8 === 7) await counter.clock.advance(3 * MINUTE);
    if (turn % 8 === 7) await Promise.all(asked);
  }
  await counter.clock.advance(24 * 60 * MINUTE);
  return { rows: gateway.rows, accepted: references.length };
}

describe("follow-ups of bookings that this journal does not know", () => {
  test.each(Array.from({ length: 30 }, (_, at) => 1 + at))(
    "never go beyond what was captured and reserved (seed %i)",
    async (seed) => {
      const { rows, accepted } = await played(seed);
      expect(excesses(rows)).toEqual([]);
      expect(accepted).toBeGreaterThan(0);
    },
  );
});
