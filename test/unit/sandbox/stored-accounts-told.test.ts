import { expect, test } from "vitest";
import { isPending } from "../../../packages/sandbox/gateway/ledger/codes.ts";
import { eventsOf } from "../../../packages/sandbox/gateway/ledger/telling.ts";
import { STORED_VISA } from "./accounts-bench.ts";
import { type Bench, bench, type Fields } from "./bench.ts";

const post = (on: Bench, path: string, fields: Fields) => on.send(path, fields);

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
  const { body: stored } = await post(on, "/v1/registrations", STORED_VISA);
  await post(on, `/v1/registrations/${stored.id}`, { ...STORED_VISA, "card.expiryYear": "2036" });
  await post(on, `/v1/registrations/${stored.id}/payments`, { amount: "1.00", currency: "EUR", paymentType: "DB" });
  await on.remove(stored.id);
  expect(told(on)).toEqual([[`CREATED ${stored.id}`], [`UPDATED ${stored.id}`], ["PAYMENT"], [`DELETED ${stored.id}`]]);
});

test("an account that is stored besides a payment is told with it", async () => {
  const on = bench();
  const { body } = await post(on, "/v1/payments", {
    ...STORED_VISA,
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
  const { body: declined } = await post(on, "/v1/registrations", { ...STORED_VISA, "card.number": "4000000000000002" });
  await on.remove(declined.id);
  await on.fault({ on: { paymentType: "RG" }, do: { result: "000.200.000" } });
  await post(on, "/v1/registrations", STORED_VISA);
  expect(told(on)).toEqual([[], [], []]);
});

test("schedules are told as such", async () => {
  const on = bench();
  const { body: stored } = await post(on, "/v1/registrations", STORED_VISA);
  await post(on, "/v1/schedules", {
    registrationId: stored.id ?? "",
    amount: "1.00",
    currency: "EUR",
    paymentType: "DB",
  });
  expect(told(on).at(-1)).toEqual(["SCHEDULE"]);
});
