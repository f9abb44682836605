import { expect, test } from "vitest";
import { isPending } from "../../../packages/sandbox/gateway/ledger/codes.ts";
import { eventsOf } from "../../../packages/sandbox/gateway/ledger/telling.ts";
import { type Bench, bench } from "./bench.ts";
import { ENTITY } from "./simulated-till.ts";

const CARD = {
  paymentBrand: "VISA",
  "card.number": "4200000000000000",
  "card.expiryMonth": "05",
  "card.expiryYear": "2034",
};

type Fields = Readonly<Record<string, string>>;

const post = (on: Bench, path: string, fields: Fields) =>
  on.post(path, Object.entries({ entityId: ENTITY, ...fields }));

/** What is told of each row, in the order of the ledger. */
function told(on: Bench): readonly (readonly string[])[] {
  return on.sandbox
    .ledger()
    .map((booking) =>
      eventsOf(booking, isPending(booking.answeredCode)).map((event) =>
        event.type === "REGISTRATION" ? `${event.action} ${event.id}` : event.type,
      ),
    );
}

test("an account is told when it is stored, changed and deleted, by the id that payments name it with", async () => {
  const on = bench();
  const { body: stored } = await post(on, "/v1/registrations", CARD);
  await post(on, `/v1/registrations/${stored.id}`, { ...CARD, "card.expiryYear": "2036" });
  await post(on, `/v1/registrations/${stored.id}/payments`, { amount: "1.00", currency: "EUR", paymentType: "DB" });
  await on.remove(stored.id);
  expect(told(on)).toEqual([[`CREATED ${stored.id}`], [`UPDATED ${stored.id}`], ["PAYMENT"], [`DELETED ${stored.id}`]]);
});

test("an account that is stored besides a payment is told with it", async () => {
  const on = bench();
  const { body } = await post(on, "/v1/payments", {
    ...CARD,
    "card.cvv": "123",
    amount: "1.00",
    currency: "EUR",
    paymentType: "DB",
    createRegistration: "true",
  });
  expect(told(on)).toEqual([["PAYMENT", `CREATED ${body.registrationId}`]]);
});

test("what was not stored, not deleted, or waits still is not told", async () => {
  const on = bench();
  const { body: declined } = await post(on, "/v1/registrations", { ...CARD, "card.number": "4000000000000002" });
  await on.remove(declined.id);
  await on.fault({ on: { paymentType: "RG" }, do: { result: "000.200.000" } });
  await post(on, "/v1/registrations", CARD);
  expect(told(on)).toEqual([[], [], []]);
});

test("schedules are told as such", async () => {
  const on = bench();
  const { body: stored } = await post(on, "/v1/registrations", CARD);
  await post(on, "/v1/schedules", {
    registrationId: stored.id ?? "",
    amount: "1.00",
    currency: "EUR",
    paymentType: "DB",
  });
  expect(told(on).at(-1)).toEqual(["SCHEDULE"]);
});
