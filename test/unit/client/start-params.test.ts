import { expect, it } from "vitest";
import type { z } from "zod";
import { passedNames, type SaleParams, type StartParams } from "../../../src/client/start-params.ts";
import { passthroughShape } from "../../../src/gateway/parameters/passthrough.ts";
import { startParams } from "../../../src/register/methods/payment-start.ts";

const sale = {
  reference: "r-1",
  type: "SALE",
  terminal: "till-1",
  currency: "EUR",
  amount: "12.34",
} as const satisfies SaleParams;

it("passes on to the gateway what the bridge passes on", () => {
  expect([...passedNames].sort()).toEqual(Object.keys(passthroughShape).sort());
});

it("knows every parameter of payment.start, and no other", () => {
  type Known = StartParams extends infer One ? (One extends StartParams ? keyof One : never) : never;
  type Taken = keyof z.input<typeof startParams>;
  const same: [Exclude<Known, Taken>, Exclude<Taken, Known>] extends [never, never] ? true : false = true;
  expect(same).toBe(true);
});

it("compiles no start that the bridge would refuse for its type", () => {
  type Takes<T> = T extends StartParams ? true : false;
  type Registration = Omit<typeof sale, "amount" | "type"> & { type: "REGISTRATION" };
  const starts: [Takes<typeof sale>, Takes<Omit<typeof sale, "amount">>, Takes<Registration>] = [true, false, true];
  expect(starts).toEqual([true, false, true]);
  expect(startParams.safeParse(sale).success).toBe(true);
});
