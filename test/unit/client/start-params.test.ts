import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { jsonOf } from "../../../packaging/json-type.ts";
import { connectRegister, type RegisterClient } from "../../../src/client/client.ts";
import type { PassedFields } from "../../../src/client/passed.ts";
import { InvalidAmount, InvalidParams } from "../../../src/client/refusals.ts";
import type {
  ChargeParams,
  LinkParams,
  ListParams,
  PreauthorizationParams,
  RefundParams,
  RegistrationParams,
  SaleParams,
  StartParams,
} from "../../../src/client/start-params.ts";
import { passthroughShape } from "../../../src/gateway/parameters/passthrough.ts";
import { linkCreate } from "../../../src/register/methods/link-create.ts";
import { paymentList } from "../../../src/register/methods/payment-list.ts";
import type { startParams } from "../../../src/register/methods/payment-start.ts";
import { registrationPay } from "../../../src/register/methods/registration-pay.ts";
import { startResultSchema } from "../../../src/register/rpc/schemas.ts";
import { type Bridge, startBridge } from "../../contract/bridge.ts";

const sale = {
  reference: "r-1",
  type: "SALE",
  terminal: "till-1",
  currency: "EUR",
  amount: "12.34",
} as const satisfies SaleParams;
const { amount: _, ...withoutAmount } = sale;

type Same<A, B> = [Exclude<A, B>, Exclude<B, A>] extends [never, never] ? true : false;
type KeysOf<T> = T extends unknown ? keyof T : never;

const paramsSchema = z.object({ properties: z.record(z.string(), z.unknown()) });

/** The own members of each type: one too many or too few does not compile. */
const LINK: Record<Exclude<keyof LinkParams, keyof PassedFields>, true> = {
  ...{ reference: true, amount: true, currency: true, validForMs: true, description: true },
  ...{ cashier: true, order: true, despite: true },
};
const CHARGE: Record<Exclude<KeysOf<ChargeParams>, keyof PassedFields>, true> = {
  ...{ registration: true, reference: true, amount: true, currency: true, type: true, numberOfCaptures: true },
  ...{ overrideHolder: true, cashier: true, order: true, despite: true, expiresInMs: true },
};
const LIST: Record<keyof ListParams, true> = {
  ...{ limit: true, after: true, from: true, to: true, terminal: true, outcome: true, open: true },
};

describe("the types", () => {
  it("know every parameter of payment.start, and no other", () => {
    const same: Same<KeysOf<StartParams>, keyof z.input<typeof startParams>> = true;
    expect(same).toBe(true);
  });

  it("leave out what means nothing for a type", () => {
    type All = keyof z.input<typeof startParams>;
    const same: [
      Same<keyof SaleParams, Exclude<All, "numberOfCaptures">>,
      Same<keyof PreauthorizationParams, All>,
      Same<keyof RefundParams, Exclude<All, (typeof MEANINGLESS)["REFUND"][number][0]>>,
      Same<keyof RegistrationParams, Exclude<All, (typeof MEANINGLESS)["REGISTRATION"][number][0]>>,
    ] = [true, true, true, true];
    expect(same).not.toContain(false);
  });

  it("compile no start that the bridge would refuse for its type", () => {
    type Takes<T> = T extends StartParams ? true : false;
    type Registration = Omit<typeof sale, "amount" | "type"> & { readonly type: "REGISTRATION" };
    const starts: [
      Takes<typeof sale>,
      Takes<typeof withoutAmount>,
      Takes<Registration>,
      Takes<Omit<typeof sale, "amount"> & { readonly amount: number }>,
      Takes<typeof sale & { readonly cart: { readonly items: readonly [{ readonly name: "tea" }] } }>,
      Takes<typeof sale & { readonly cart: { readonly items: "tea" } }>,
    ] = [true, false, true, false, true, false];
    expect(starts).toHaveLength(6);
  });

  it.each([
    { call: linkCreate, own: LINK },
    { call: registrationPay, own: CHARGE },
    { call: paymentList, own: LIST },
  ])("know every parameter of $call.name, and no other", ({ call, own }) => {
    const passed = call === paymentList ? [] : Object.keys(passthroughShape);
    const { properties } = paramsSchema.parse(jsonOf(call.params, new Map()));
    expect(Object.keys(properties).sort()).toEqual([...Object.keys(own), ...passed].sort());
  });

  it("know what is passed to the gateway", () => {
    const same: Same<keyof PassedFields, keyof typeof passthroughShape> = true;
    expect(same).toBe(true);
  });
});

/** Members of payment.start by the types that do not take them, with a value that would fit elsewhere. */
const MEANINGLESS = {
  SALE: [["numberOfCaptures", 2]],
  REFUND: [
    ["tip", "1.00"],
    ["allowPartialApproval", true],
    ["createRegistration", true],
    ["numberOfCaptures", 2],
  ],
  REGISTRATION: [
    ["amount", "12.34"],
    ["tip", "1.00"],
    ["allowPartialApproval", true],
    ["createRegistration", true],
    ["numberOfCaptures", 2],
    ["taxAmount", "1.00"],
    ["discountAmount", "1.00"],
  ],
} as const;

describe("the bridge", () => {
  let bridge: Bridge;
  let till: RegisterClient;
  beforeAll(async () => {
    bridge = await startBridge();
    till = await connectRegister({ url: bridge.url, token: "desk-token", after: undefined });
  });
  afterAll(async () => {
    till.close();
    await bridge[Symbol.asyncDispose]();
  });

  const start = (params: object): Promise<unknown> => till.call("payment.start", params, startResultSchema);
  const cases = Object.entries(MEANINGLESS).flatMap(([type, members]) =>
    members.map(([name, value]) => ({ type, name, value })),
  );

  it.each(cases)("refuses $name of a $type, which no type of the client takes", async ({ type, name, value }) => {
    const { amount, ...rest } = sale;
    const given = { ...rest, ...(type !== "REGISTRATION" && { amount }), type, [name]: value };
    const refused = await start(given).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(name === "amount" ? InvalidAmount : InvalidParams);
    expect(refused).toMatchObject({ path: name });
  });

  it("refuses a SALE without amount, which does not compile", async () => {
    await expect(start(withoutAmount)).rejects.toMatchObject({ code: "invalid-params", path: "amount" });
  });
});
