import { describe, expect, it } from "vitest";
import { createBudget } from "../../../src/engine/gateway/query-budget.ts";
import { sinceBackup } from "../../../src/engine/gateway/since-backup.ts";
import { closeUndecided, undecidedIn } from "../../../src/engine/operator/close-undecided.ts";
import type { GatewaySearch, LostBooking, LostBookings } from "../../../src/engine/ports.ts";
import { isoTime } from "../../../src/kit/clock.ts";
import type { Answer, Found, SearchResult } from "../../../src/payment/fact/answer.ts";
import { openCounter, till } from "../../support/counter.ts";
import { HOUR, journalWith, listed, lostName, NOW, nameBegins } from "../../support/restored-journal.ts";
import { approval, authorizing, Story, sale } from "../../support/sale.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

/* What a restored journal cannot decide by itself, and what a person says of it. */

const DAY = 24 * HOUR;
const order = { reason: "the till says approved", by: "anna" };
type Word = { readonly as: "approved" | "reversed" | "declined"; readonly gatewayId?: string };

/** What the gateway has told of the time since the backup. */
function told(...bookings: readonly Partial<LostBooking>[]): LostBookings {
  const kept = bookings.map(
    (one): LostBooking => ({ ...listed(), entityId: "e1", isOwn: true, at: isoTime(NOW), ...one }),
  );
  return { at: isoTime(NOW), from: isoTime(NOW - HOUR), to: isoTime(NOW), bookings: kept };
}

interface Restored {
  readonly story?: Story;
  readonly read?: LostBookings | undefined;
  readonly search: (search: GatewaySearch) => SearchResult;
}

/** A folder that holds that payment, and whose registers' word a person gives. */
async function restored({ story = authorizing(), read = told(), search }: Restored) {
  const clock = createVirtualClock(NOW);
  const journal = await journalWith(clock, story);
  const since = sinceBackup(read, nameBegins);
  const asked: { readonly of: GatewaySearch["of"]; readonly at: number }[] = [];
  const gateway = {
    reaches: () => true,
    search: async (one: GatewaySearch) => {
      asked.push({ of: one.of, at: clock.monotonic() });
      return search(one);
    },
  };
  const close = async (word: Word, reference = story.payment.accepted.reference) => {
    const budget = createBudget(clock);
    const closing = closeUndecided(
      { journal, gateway, budget, since, now: clock.now },
      { reference },
      { ...order, ...word },
    );
    await clock.advance(300_000);
    return closing;
  };
  const open = async () => (await undecidedIn(journal, since)).map(({ accepted }) => accepted.reference);
  /** A bridge that starts from it, for as long as anything could still be asked or posted. */
  const started = async () => {
    const counter = openCounter({ search, nameBegins }, { clock, journal });
    void counter.engine.recover();
    await clock.advance(5 * DAY);
    return counter;
  };
  return { clock, journal, asked, close, open, started };
}

const shownBy = (...bookings: readonly Found[]) => ({ is: "found", bookings }) as const;
const reservation = (name: string, answer: Answer = approval()): Found => ({
  id: "booking-1",
  merchantTransactionId: name,
  paymentType: "PA",
  answer,
});

describe("a sale that was undecided when the backup was made", () => {
  const shown = shownBy(reservation("mtid-2"));

  it.each([
    [{ as: "approved", gatewayId: "booking-1" }, "APPROVED"],
    [{ as: "declined" }, "DECLINED"],
    [{ as: "reversed" }, "FAILED"],
  ] as const)(
    "is closed by a person as %o, and what the gateway showed by then is never reversed by the bridge",
    async (word, outcome) => {
      const { open, close, started } = await restored({ search: () => shown });
      expect(await open()).toEqual(["R-1"]);
      expect(await close(word)).toMatchObject({
        ok: true,
        value: { payment: { state: "FINAL", outcome }, gateway: "booked" },
      });
      expect(await open()).toEqual([]);
      const { posted, broken, payments } = await started();
      expect([posted, broken]).toEqual([[], []]);
      expect(await payments.get(till, { reference: "R-1" })).toMatchObject({ value: { outcome } });
    },
  );

  it("would be reversed by a bridge that took it up as after a crash, which is why it has to have that word", async () => {
    const { started } = await restored({ search: () => shown });
    const { posted } = await started();
    expect(posted.map(({ operation }) => operation.paymentType)).toContain("RV");
  });

  it("is approved only by a booking that the gateway shows", async () => {
    const { close } = await restored({ search: () => ({ is: "absent" }) });
    for (const gatewayId of ["booking-1", "other"])
      expect(await close({ as: "approved", gatewayId })).toMatchObject({
        refusal: { code: "not-allowed", message: expect.stringContaining(`the gateway does not show ${gatewayId}`) },
      });
    expect(await close({ as: "approved" })).toMatchObject({
      refusal: { message: expect.stringContaining("--gateway-id") },
    });
  });

  const about = (id: string, paymentType: string, answer: Answer = approval(1234, id)): Found => ({
    id,
    paymentType,
    referencedId: "booking-1",
    answer,
  });

  it.each([
    ["its reversal", [about("reversal", "RV")], "reversal", "reversal is a RV at the gateway, and not a PA or CP"],
    ["what was reversed", [about("reversal", "RV")], "booking-1", "booking-1 was taken back at the gateway"],
    [
      "a refund of it",
      [about("capture", "CP"), about("refund", "RF")],
      "refund",
      "refund is a RF at the gateway, and not a PA or CP",
    ],
    [
      "a capture of less",
      [about("capture", "CP", approval(600, "capture"))],
      "capture",
      "capture is of another amount at the gateway than is to be closed",
    ],
  ])("is not approved by %s: later refunds and voids would go there", async (_, more, gatewayId, problem) => {
    const { close, open } = await restored({ search: () => shownBy(reservation("mtid-2"), ...more) });
    expect(await close({ as: "approved", gatewayId })).toMatchObject({
      refusal: { code: "not-allowed", message: `reference "R-1": ${problem}` },
    });
    expect(await open()).toEqual(["R-1"]);
  });

  it.each([
    ["its capture", [about("capture", "CP")], "capture", "APPROVED", "12.34"],
    ["the part that its issuer approved", [], "booking-1", "PARTIALLY_APPROVED", "6.17"],
  ] as const)("is approved by %s", async (_, more, gatewayId, outcome, approvedAmount) => {
    const amount = outcome === "APPROVED" ? 1234 : 617;
    const { close } = await restored({ search: () => shownBy(reservation("mtid-2", approval(amount)), ...more) });
    expect(await close({ as: "approved", gatewayId })).toMatchObject({
      value: { payment: { outcome, approvedAmount, gateway: { id: gatewayId } } },
    });
  });
});

describe("a gateway that is asked too often", () => {
  /** Two queries a minute are answered, and another shop has just made them. */
  it("is asked again once it answers, and what it shows counts", async () => {
    let throttled = 2;
    const { close, asked } = await restored({
      search: () => {
        throttled -= 1;
        return throttled >= 0 ? { is: "throttled" } : shownBy(reservation("mtid-2"));
      },
    });
    expect(await close({ as: "approved", gatewayId: "booking-1" })).toMatchObject({
      ok: true,
      value: { gateway: "booked" },
    });
    const waits = asked.slice(1).map(({ at }, n) => at - (asked[n]?.at ?? 0));
    expect(waits).toHaveLength(2);
    for (const wait of waits) expect(wait).toBeGreaterThanOrEqual(30_000);
  });

  it.each([
    [{ is: "throttled" }, "it is asked too often, by this bridge or by others of the same entity"],
    [{ is: "no-answer", description: "connect ECONNREFUSED" }, "connect ECONNREFUSED"],
  ] as const)(
    "and answers nothing else than %o has not said that it shows no booking",
    async (answer: SearchResult, why) => {
      const { close, open } = await restored({ search: () => answer });
      const message = `reference "R-1": the gateway did not tell what it has of it (${why}): try again in a minute`;
      expect(await close({ as: "approved", gatewayId: "booking-1" })).toMatchObject({
        refusal: { code: "not-allowed", message },
      });
      expect(await open()).toEqual(["R-1"]);
    },
  );
});

describe("a sale that waited for its card when the backup was made", () => {
  const waiting = () => new Story({ ...sale, id: "pay_2", reference: "R-2" }).meets({ on: "leased" });
  const [paName, cpName] = [lostName("R-2", "aaaaaaaaaaaa"), lostName("R-2", "bbbbbbbbbbbb")];
  const lostPa = { id: "booking-1", merchantTransactionId: paName };
  const lostCp = { id: "capture-1", paymentType: "CP", merchantTransactionId: cpName, referencedId: "booking-1" };
  const capture: Found = { ...lostCp, answer: approval(1234, "capture-1") };
  const shown = shownBy(reservation(paName), capture);

  it("needs no word where the gateway has told that it holds nothing of it, and none where it was decided", async () => {
    const others = told({ merchantTransactionId: lostName("R-3") }, { ...lostPa, is: "refused" });
    expect(await (await restored({ story: waiting(), read: others, search: () => shown })).open()).toEqual([]);
    const decided = authorizing().answer(approval()).meets({ on: "finished", verdict: "approved", chip: {} });
    expect(await (await restored({ story: decided, search: () => shown })).open()).toEqual([]);
  });

  it("needs one where the gateway holds a request of it, or did not tell", async () => {
    const { open } = await restored({ story: waiting(), read: told(lostPa), search: () => shown });
    expect(await open()).toEqual(["R-2"]);
    const untold = { ...told(), untold: [{ entityId: sale.channel.entityId, description: "800.900.300" }] };
    expect(await (await restored({ story: waiting(), read: untold, search: () => shown })).open()).toEqual(["R-2"]);
    const clock = createVirtualClock(NOW);
    expect(await undecidedIn(await journalWith(clock, waiting()), sinceBackup(undefined, nameBegins))).toHaveLength(1);
  });

  it("is approved with its capture, so that it is refunded as any other sale", async () => {
    const { clock, close, started } = await restored({
      story: waiting(),
      read: told(lostPa, lostCp),
      search: () => shown,
    });
    expect(await close({ as: "approved", gatewayId: "booking-1" })).toMatchObject({
      value: {
        payment: { outcome: "APPROVED", approvedAmount: "12.34", capturedAmount: "12.34", capture: "captured" },
        gateway: "booked",
      },
    });
    const counter = await started();
    expect([counter.posted, counter.broken]).toEqual([[], []]);
    const refunding = counter.payments.followUp(till, {
      type: "LINKED_REFUND",
      reference: "F-1",
      of: { reference: "R-2" },
      fingerprint: "f",
    });
    await clock.advance(60_000);
    expect(await refunding).toMatchObject({ value: { created: true } });
    expect(
      counter.posted.map(({ operation }) => [operation.paymentType, operation.referencedId, operation.amount]),
    ).toEqual([["RF", "capture-1", 1234]]);
  });

  it.each([
    [{ as: "declined" }, "DECLINED"],
    [{ as: "reversed" }, "FAILED"],
  ] as const)("is closed as %o, and a person hears that the gateway shows it booked", async (word, outcome) => {
    const { close, started } = await restored({
      story: waiting(),
      read: told(lostPa),
      search: () => shownBy(reservation(paName)),
    });
    expect(await close(word)).toMatchObject({
      ok: true,
      value: { payment: { state: "FINAL", outcome }, gateway: "booked" },
    });
    const counter = await started();
    expect([counter.posted, counter.broken]).toEqual([[], []]);
  });

  it("is approved by the id alone where the gateway lists nothing by time, but not by another sale's booking", async () => {
    const search = ({ of }: GatewaySearch): SearchResult => {
      if (!("id" in of)) return shown;
      return of.id === "booking-1" ? shown : shownBy({ ...reservation(lostName("R-3")), id: "other" });
    };
    const unread = {
      story: waiting(),
      read: { ...told(), untold: [{ entityId: sale.channel.entityId, description: "800.900.300" }] },
      search,
    };
    const { close } = await restored(unread);
    expect(await close({ as: "approved", gatewayId: "other" })).toMatchObject({
      refusal: { message: expect.stringContaining("the gateway does not show other as a booking of it") },
    });
    expect(await close({ as: "approved", gatewayId: "booking-1" })).toMatchObject({
      value: { payment: { outcome: "APPROVED" }, gateway: "booked" },
    });
  });

  it("has a second request with a PIN that only the gateway holds, and is approved by that", async () => {
    const story = authorizing({ ...sale, id: "pay_2", reference: "R-2" });
    const search = ({ of }: GatewaySearch): SearchResult =>
      "merchantTransactionId" in of && of.merchantTransactionId === paName
        ? shownBy(reservation(paName))
        : { is: "absent" };
    const { close } = await restored({ story, read: told(lostPa), search });
    expect(await close({ as: "approved", gatewayId: "booking-1" })).toMatchObject({
      value: { payment: { outcome: "APPROVED" }, gateway: "booked" },
    });
  });
});
