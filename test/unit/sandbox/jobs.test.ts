import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Booking } from "../../../packages/sandbox/gateway/ledger/booking.ts";
import { netBookings } from "../../../packages/sandbox/gateway/ledger/net-bookings.ts";
import { openSandboxStore } from "../../../packages/sandbox/gateway/ledger/store.ts";
import { createSandbox, type SandboxSetup } from "../../../packages/sandbox/gateway/sandbox.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { STORED_VISA } from "./accounts-bench.ts";
import { type Bench, bench, type Fields } from "./bench.ts";
import { ENTITY, TOKEN } from "./simulated-till.ts";

const OK = "000.100.110";
const NOWHERE = "0".repeat(32);
const OTHER_ENTITY = "8a8294174b7ecb28014b9699220015cb";
const DAY_MS = 86_400_000;
const MONTHLY = { "job.month": "*", "job.dayOfMonth": "1", "job.hour": "6" };

const planSchema = z.looseObject({
  registrationId: z.string().optional(),
  job: z.record(z.string(), z.string()),
  plan: z.looseObject({
    active: z.boolean(),
    executions: z.number(),
    next: z.string().optional(),
    end: z.string().optional(),
  }),
});

/** A gateway whose clock shows that time, with a stored card. */
async function shop(
  time: string,
  setup: Partial<SandboxSetup> = {},
): Promise<{ readonly on: Bench; readonly registrationId: string }> {
  const on = bench({ clock: createVirtualClock(Date.parse(`${time}Z`)), ...setup });
  const { body } = await on.send("/v1/registrations", STORED_VISA);
  return { on, registrationId: body.id ?? "" };
}

const schedule = (on: Bench, registrationId: string, more: Fields = {}, path = "/scheduling/v1/schedules") =>
  on.send(path, { registrationId, amount: "9.90", currency: "EUR", paymentType: "DB" }, MONTHLY, more);

const change = (on: Bench, id: string | undefined, deed: "reschedule" | "deschedule", more: Fields = {}) =>
  on.send(`/scheduling/v1/schedules/${id}/${deed}`, more);

const planOf = async (on: Bench, id: string | undefined) =>
  planSchema.parse((await on.get(`/scheduling/v1/schedules/${id}?entityId=${ENTITY}`)).body);

/** What jobs booked, and when. */
function runs(ledger: readonly Booking[]): readonly Booking[] {
  return ledger.filter(
    ({ parameters, paymentType }) =>
      parameters["standingInstruction.source"] === "MIT" && ["PA", "DB", "CD"].includes(paymentType),
  );
}

const times = (ledger: readonly Booking[]) =>
  runs(ledger).map(({ receivedAt }) => new Date(receivedAt).toISOString().slice(0, 19));

describe("a subscription", () => {
  test("of a year with a leap day books each month at its own time, however the clock is moved", async () => {
    const { on, registrationId } = await shop("2028-01-15T09:30:00");
    const { code, body } = await schedule(on, registrationId, { "job.dayOfMonth": "L" });
    expect(code).toBe(OK);
    on.sandbox.advance(400 * DAY_MS);
    expect(times(on.sandbox.ledger())).toEqual([
      ...[
        "2028-01-31T06:00:00",
        "2028-02-29T06:00:00",
        "2028-03-31T06:00:00",
        "2028-04-30T06:00:00",
        "2028-05-31T06:00:00",
        "2028-06-30T06:00:00",
      ],
      ...[
        "2028-07-31T06:00:00",
        "2028-08-31T06:00:00",
        "2028-09-30T06:00:00",
        "2028-10-31T06:00:00",
        "2028-11-30T06:00:00",
        "2028-12-31T06:00:00",
      ],
      "2029-01-31T06:00:00",
    ]);
    expect(netBookings(on.sandbox.ledger()).reduce((total, { captured }) => total + captured, 0)).toBe(13 * 990);
    expect(await planOf(on, body.id)).toMatchObject({
      registrationId,
      plan: { active: true, executions: 13, next: "2029-02-28 06:00:00" },
    });
  });

  test("runs the same whether the clock is moved at once or by the day", async () => {
    const booked = async (steps: number) => {
      const { on, registrationId } = await shop("2026-01-15T09:30:00");
      await schedule(on, registrationId);
      await schedule(on, registrationId, { "job.dayOfMonth": "?", "job.dayOfWeek": "MON", amount: "1.00" });
      for (let step = 0; step < steps; step += 1) on.sandbox.advance((90 * DAY_MS) / steps);
      return runs(on.sandbox.ledger()).map(({ receivedAt, amount }) => [receivedAt, amount]);
    };
    const atOnce = await booked(1);
    expect(atOnce).toEqual(await booked(90));
    expect(atOnce.map(([at]) => at)).toEqual(atOnce.map(([at]) => at).toSorted((a, b) => Number(a) - Number(b)));
    expect(atOnce).toHaveLength(3 + 13);
  });

  test("runs by itself when its time comes", async () => {
    const clock = createVirtualClock(Date.parse("2026-01-31T23:59:00Z"));
    const on = bench({ clock });
    const { body } = await on.send("/v1/registrations", STORED_VISA);
    await schedule(on, body.id ?? "", { "job.hour": "0" });
    await clock.advance(59_999);
    expect(runs(on.sandbox.ledger())).toEqual([]);
    await clock.advance(1);
    expect(times(on.sandbox.ledger())).toEqual(["2026-02-01T00:00:00"]);
  });

  test("says what it was scheduled with, that the merchant takes it, and which job it was", async () => {
    const { on, registrationId } = await shop("2026-01-15T09:30:00");
    const more = {
      descriptor: "Gym",
      merchantTransactionId: "member-4711",
      "customParameters[branch]": "north",
      "standingInstruction.recurringType": "SUBSCRIPTION",
    };
    const { body } = await schedule(on, registrationId, more);
    on.sandbox.advance(31 * DAY_MS);
    const [payment] = runs(on.sandbox.ledger());
    expect(payment).toMatchObject({
      paymentType: "DB",
      amount: 990,
      referencedId: body.id,
      chargedRegistrationId: registrationId,
      resultCode: OK,
    });
    const instruction = {
      "standingInstruction.type": "RECURRING",
      "standingInstruction.mode": "REPEATED",
      "standingInstruction.source": "MIT",
    };
    expect(payment?.parameters).toMatchObject({ ...more, ...instruction });
    expect(Object.keys(payment?.parameters ?? {}).filter((name) => name.startsWith("job."))).toEqual([]);
    expect((await on.query("member-4711")).body.payments?.map(({ paymentType }) => paymentType)).toEqual(["SD", "DB"]);
  });

  test.each<[string, Fields, string]>([
    ["a reservation", { paymentType: "PA" }, "PA"],
    ["a credit", { paymentType: "CD" }, "CD"],
    ["a debit where it says SD", { paymentType: "SD" }, "DB"],
  ])("can be %s", async (_what, more, paymentType) => {
    const { on, registrationId } = await shop("2026-01-15T09:30:00");
    await schedule(on, registrationId, more);
    on.sandbox.advance(31 * DAY_MS);
    expect(runs(on.sandbox.ledger())).toMatchObject([{ paymentType }]);
    expect(netBookings(on.sandbox.ledger())).toMatchObject([{ paymentType }]);
  });

  test("goes on after a decline, and ends with its account", async () => {
    const { on, registrationId } = await shop("2026-01-15T09:30:00");
    const { body } = await schedule(on, registrationId, { amount: "9100.51" });
    on.sandbox.advance(60 * DAY_MS);
    expect(runs(on.sandbox.ledger()).map(({ resultCode }) => resultCode)).toEqual(["800.100.155", "800.100.155"]);
    await on.remove(registrationId);
    on.sandbox.advance(90 * DAY_MS);
    expect(runs(on.sandbox.ledger()).map(({ resultCode }) => resultCode)).toEqual([
      "800.100.155",
      "800.100.155",
      "100.150.202",
    ]);
    expect((await planOf(on, body.id)).plan).toMatchObject({ active: false });
  });

  test("is declined once its card has expired, until the account is renewed", async () => {
    const { on } = await shop("2026-01-15T09:30:00");
    const { body: stored } = await on.send("/v1/registrations", {
      ...STORED_VISA,
      "card.expiryMonth": "02",
      "card.expiryYear": "2026",
    });
    await schedule(on, stored.id ?? "");
    on.sandbox.advance(80 * DAY_MS);
    await on.send(`/v1/registrations/${stored.id}`, STORED_VISA);
    on.sandbox.advance(30 * DAY_MS);
    expect(runs(on.sandbox.ledger()).map(({ resultCode }) => resultCode)).toEqual([
      OK,
      "100.100.303",
      "100.100.303",
      OK,
    ]);
  });

  test("books one payment after another on a channel that looks for duplicates", async () => {
    const { on, registrationId } = await shop("2026-01-15T09:30:00", { rules: { duplicates: "reject" } });
    await schedule(on, registrationId, { merchantTransactionId: "member-4711" });
    on.sandbox.advance(60 * DAY_MS);
    expect(runs(on.sandbox.ledger()).map(({ resultCode }) => resultCode)).toEqual([OK, OK]);
  });

  test("of every second leaves the gateway time for others, and loses nothing", async () => {
    const clock = createVirtualClock(Date.parse("2026-01-15T09:30:00Z"));
    const on = bench({ clock });
    const { body } = await on.send("/v1/registrations", STORED_VISA);
    await schedule(on, body.id ?? "", {
      "job.second": "*",
      "job.minute": "30",
      "job.hour": "*",
      "job.dayOfMonth": "*",
    });
    on.sandbox.advance(20 * 3_600_000);
    expect(runs(on.sandbox.ledger()).length).toBeLessThan(1200);
    await clock.advance(0);
    await clock.advance(0);
    expect(runs(on.sandbox.ledger())).toHaveLength(20 * 60 + 1);
  });
});

describe("how long it goes on", () => {
  test.each<[string, Fields, readonly string[], string | undefined]>([
    ["from job.startDate on", { "job.startDate": "2026-03-01 06:00:00" }, ["03-01", "04-01", "05-01"], undefined],
    ["to job.endDate, with it", { "job.endDate": "2026-03-01 06:00:00" }, ["02-01", "03-01"], "2026-03-01 06:00:01"],
    ["not past it", { "job.endDate": "2026-03-01 05:59:59" }, ["02-01"], "2026-03-01 06:00:00"],
    [
      "to the end of the agreement",
      { "standingInstruction.expiry": "2026-04-01" },
      ["02-01", "03-01", "04-01"],
      "2026-04-02 00:00:00",
    ],
    [
      "for so many installments",
      { "standingInstruction.type": "INSTALLMENT", "standingInstruction.numberOfInstallments": "2" },
      ["02-01", "03-01"],
      undefined,
    ],
  ])("%s", async (_how, more, days, end) => {
    const { on, registrationId } = await shop("2026-01-15T09:30:00");
    const { body } = await schedule(on, registrationId, more);
    on.sandbox.advance(120 * DAY_MS);
    expect(times(on.sandbox.ledger())).toEqual(days.map((day) => `2026-${day}T06:00:00`));
    expect((await planOf(on, body.id)).plan.end).toBe(end);
  });

  test.each<[string, Fields, number]>([
    ["at once without notice", {}, 0],
    ["when its notice is over", notice("45", "DAY"), 2],
  ])("and a descheduled one ends %s", async (_when, more, left) => {
    const { on, registrationId } = await shop("2026-01-15T09:30:00");
    const { body } = await schedule(on, registrationId, more);
    expect((await change(on, body.id, "deschedule")).code).toBe(OK);
    expect((await planOf(on, body.id)).plan.active).toBe(left > 0);
    on.sandbox.advance(400 * DAY_MS);
    expect(runs(on.sandbox.ledger())).toHaveLength(left);
    expect((await planOf(on, body.id)).plan.active).toBe(false);
  });
});

function notice(number: string, unit: string): Fields {
  return { "job.noticeNumber": number, "job.noticeUnit": unit };
}

describe("a change (RS)", () => {
  test("of the amount keeps the times, and the plan before it is no longer active", async () => {
    const { on, registrationId } = await shop("2026-01-15T09:30:00");
    const { body: first } = await schedule(on, registrationId);
    on.sandbox.advance(20 * DAY_MS);
    const { code, body: second } = await change(on, first.id, "reschedule", { amount: "19.90", currency: "EUR" });
    expect(code).toBe(OK);
    on.sandbox.advance(31 * DAY_MS);
    expect(runs(on.sandbox.ledger()).map(({ amount, referencedId }) => [amount, referencedId])).toEqual([
      [990, first.id],
      [1990, second.id],
    ]);
    expect((await planOf(on, first.id)).plan.active).toBe(false);
    expect((await planOf(on, second.id)).plan).toMatchObject({ active: true, executions: 2 });
  });

  test("of the times keeps the amount, and either row of the chain may be named from then on", async () => {
    const { on, registrationId } = await shop("2026-01-15T09:30:00");
    const { body: first } = await schedule(on, registrationId);
    await change(on, first.id, "reschedule", { "job.expression": "0 0 0 15 * ?" });
    await change(on, first.id, "reschedule", { "job.expression": "0 0 0 20 * ?", paymentType: "RS" });
    on.sandbox.advance(10 * DAY_MS);
    expect(times(on.sandbox.ledger())).toEqual(["2026-01-20T00:00:00"]);
    expect((await change(on, first.id, "deschedule", { paymentType: "DS" })).code).toBe(OK);
    on.sandbox.advance(60 * DAY_MS);
    expect(runs(on.sandbox.ledger())).toMatchObject([{ amount: 990 }]);
  });

  test("of the times by the first id keeps the amount of the last change, and comes too late once notice was given", async () => {
    const { on, registrationId } = await shop("2026-01-15T09:30:00");
    const { body } = await schedule(on, registrationId, notice("60", "DAY"));
    await change(on, body.id, "reschedule", { amount: "19.90", currency: "EUR" });
    await change(on, body.id, "reschedule", { "job.expression": "0 0 0 20 * ?", ...notice("60", "DAY") });
    expect((await change(on, body.id, "reschedule", { "job.expression": "0 0 0 30 2 ?" })).code).toBe("100.250.120");
    await change(on, body.id, "deschedule");
    expect((await change(on, body.id, "reschedule", { amount: "1.00", currency: "EUR" })).code).toBe("100.360.300");
    on.sandbox.advance(90 * DAY_MS);
    expect(runs(on.sandbox.ledger()).map(({ amount }) => amount)).toEqual([1990, 1990]);
  });

  test("and an end come too late where there is nothing to change any more", async () => {
    const { on, registrationId } = await shop("2026-01-15T09:30:00");
    const { body } = await schedule(on, registrationId);
    const ended = await on.raw("DELETE", `/v1/schedules/${body.id}?entityId=${ENTITY}`);
    expect(ended).toMatchObject({ status: 200, body: expect.stringContaining('"DS"') });
    expect((await change(on, body.id, "deschedule")).code).toBe("100.360.303");
    expect((await change(on, body.id, "reschedule", { amount: "1.00", currency: "EUR" })).code).toBe("100.360.300");
    expect(await change(on, NOWHERE, "deschedule")).toMatchObject({ status: 404, code: "700.100.100" });
  });
});

describe("a schedule", () => {
  test("is nobody else's: another channel neither sees it nor ends it, and its accounts pay for nothing there", async () => {
    const entities = [ENTITY, OTHER_ENTITY].map((entityId) => ({ entityId, token: TOKEN }));
    const { on, registrationId } = await shop("2026-01-15T09:30:00", { entities });
    const { body } = await schedule(on, registrationId);
    const elsewhere = { entityId: OTHER_ENTITY };
    expect(await change(on, body.id, "deschedule", elsewhere)).toMatchObject({ status: 404, code: "700.100.100" });
    expect(await change(on, body.id, "reschedule", { ...elsewhere, amount: "1.00", currency: "EUR" })).toMatchObject({
      status: 404,
      code: "700.100.100",
    });
    expect((await schedule(on, registrationId, elsewhere)).code).toBe("100.150.200");
    for (const id of [body.id, registrationId])
      expect((await on.get(`/v1/schedules/${id}?entityId=${OTHER_ENTITY}`)).status).toBe(404);
    on.sandbox.advance(31 * DAY_MS);
    expect(runs(on.sandbox.ledger())).toHaveLength(1);
  });

  test("is told by its id, and with the others of its registration by that one's", async () => {
    const { on, registrationId } = await shop("2026-01-15T09:30:00");
    const { body } = await schedule(on, registrationId, {}, "/v1/schedules");
    expect(body).toMatchObject({ paymentType: "SD", amount: "9.90", currency: "EUR", paymentBrand: "VISA" });
    expect(await planOf(on, body.id)).toMatchObject({
      job: { month: "*", dayOfMonth: "1", hour: "6" },
      plan: { active: true, next: "2026-02-01 06:00:00" },
    });
    await schedule(on, registrationId, { amount: "1.00" });
    const { body: all } = await on.get(`/scheduling/v1/schedules/${registrationId}?entityId=${ENTITY}`);
    expect(z.array(planSchema).parse(all["schedules"])).toHaveLength(2);
    expect(await on.get(`/scheduling/v1/schedules/${NOWHERE}?entityId=${ENTITY}`)).toMatchObject({
      status: 404,
      code: "700.400.580",
    });
  });

  test.each<[string, Fields, string]>([
    ["both days", { "job.dayOfWeek": "MON" }, "100.250.120"],
    ["times that are over", { "job.year": "2025" }, "100.250.120"],
    ["an end before its first payment", { "job.endDate": "2026-02-01 05:59:59" }, "100.250.120"],
    ["a day that there never is", { "job.month": "2", "job.dayOfMonth": "30" }, "100.250.120"],
    ["an unknown account", { registrationId: NOWHERE }, "100.150.200"],
    ["no money", { amount: "0.00" }, "100.550.300"],
  ])("is refused with %s, and never runs", async (_what, more, code) => {
    const { on, registrationId } = await shop("2026-01-15T09:30:00");
    expect(await schedule(on, registrationId, more)).toMatchObject({ status: 400, code });
    on.sandbox.advance(90 * DAY_MS);
    expect(runs(on.sandbox.ledger())).toEqual([]);
  });

  test("keeps no secret of the sale that it repeats", async () => {
    const store = openSandboxStore(":memory:");
    const { on, registrationId } = await shop("2026-01-15T09:30:00", { store });
    const secrets = {
      "giftCard.number": "6011000990139424",
      "giftCard.pin": "8642",
      "sender.accountNumber": "778899001122",
      "risk.accountToken": "tok-secret-1",
    };
    const { code, body } = await schedule(on, registrationId, secrets);
    await change(on, body.id, "reschedule", { amount: "8.00", currency: "EUR", "giftCard.pin": "8642" });
    on.sandbox.advance(31 * DAY_MS);
    expect([code, runs(on.sandbox.ledger())]).toMatchObject([OK, [{}]]);
    const kept = JSON.stringify([on.sandbox.ledger(), store.records("plan")]);
    for (const secret of Object.values(secrets)) expect(kept).not.toContain(secret);
  });

  test("that a fault refuses never runs", async () => {
    const { on, registrationId } = await shop("2026-01-15T09:30:00");
    await on.fault({ on: { paymentType: "DB", path: "/scheduling" }, do: { result: "100.360.400" } });
    expect((await schedule(on, registrationId)).code).toBe("100.360.400");
    on.sandbox.advance(90 * DAY_MS);
    expect(runs(on.sandbox.ledger())).toEqual([]);
  });

  test("survives a restart: what fell due while the gateway was down is caught up, each occurrence once", async () => {
    const store = openSandboxStore(":memory:");
    const { on, registrationId } = await shop("2026-01-15T09:30:00", { store });
    await schedule(on, registrationId);
    on.sandbox.advance(31 * DAY_MS);
    on.sandbox.stop();
    const entities = [{ entityId: ENTITY, token: TOKEN }];
    // By the sandbox's own clock, which stays moved over a restart, it is 15 April.
    const again = () =>
      createSandbox({
        clock: createVirtualClock(Date.parse("2026-03-15T00:00:00Z")),
        random: seededRandom(8),
        store,
        entities,
      });
    const sandbox = again();
    expect(times(sandbox.ledger())).toEqual(["02-01", "03-01", "04-01"].map((day) => `2026-${day}T06:00:00`));
    sandbox.stop();
    expect(runs(again().ledger())).toHaveLength(3);
  });
});
