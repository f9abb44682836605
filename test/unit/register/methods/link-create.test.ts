import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../../src/register/rpc/limits.ts";
import { startResultSchema } from "../../../../src/register/rpc/schemas.ts";
import { errorOf, opened } from "../../../contract/talk.ts";

const link = { reference: "L-1", amount: "12.34", currency: "EUR" };

describe("link.create", () => {
  it("hands a checked request to the engine and answers with the payment and its link", async () => {
    const open = await opened();
    const given = {
      ...link,
      validForMs: 120_000,
      description: "Table 4",
      order: "o-1",
      cashier: "Jo",
      despite: "L-0",
      customer: { givenName: "Ada", surname: "Byron" },
    };
    const { result } = await open.call("link.create", given);
    const { payment } = startResultSchema.parse(result);
    expect(payment).toMatchObject({
      reference: "L-1",
      type: "SALE",
      terminal: "",
      link: { url: "https://gateway.example/link" },
    });
    const [{ fingerprint, ...request } = { fingerprint: "" }] = open.payments.links;
    expect(request).toEqual({
      ...{
        reference: "L-1",
        amount: 1234,
        currency: "EUR",
        validForMs: 120_000,
        order: "o-1",
        cashier: "Jo",
        despite: "L-0",
      },
      parameters: { customer: { givenName: "Ada", surname: "Byron" }, customParameters: { description: "Table 4" } },
    });
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });

  it("gives the customer an hour where nothing is said, and leaves the register's own parameters alone", async () => {
    const open = await opened();
    await open.call("link.create", { ...link, description: "ours", customParameters: { shelf: "A1" } });
    expect(open.payments.links[0]).toMatchObject({
      validForMs: 3_600_000,
      parameters: { customParameters: { description: "ours", shelf: "A1" } },
    });
    const said = errorOf(
      await open.call("link.create", {
        ...link,
        reference: "L-2",
        description: "ours",
        customParameters: { description: "theirs" },
      }),
    );
    expect(said).toMatchObject({ is: "invalid-params", path: "description" });
    expect(open.payments.links).toHaveLength(1);
  });

  it("knows a repeat by its content, and the time that the customer has is part of it", async () => {
    const open = await opened();
    await open.call("link.create", link);
    expect((await open.call("link.create", link)).result).toMatchObject({ created: false });
    expect(errorOf(await open.call("link.create", { ...link, validForMs: 60_000 })).is).toBe("reference-reused");
  });

  it("needs the scope payments", async () => {
    const open = await opened("refund-token");
    expect(errorOf(await open.call("link.create", link)).is).toBe("forbidden");
  });

  it.each([
    ["validForMs", { validForMs: LIMITS.linkMinMs - 1 }],
    ["validForMs", { validForMs: LIMITS.linkMaxMs + 1 }],
    ["description", { description: "two\nlines" }],
    ["terminal", { terminal: "till-1" }],
    ["validUntil", { validUntil: 1 }],
    ["currency", { currency: "euro" }],
  ])("refuses a wrong %s by its name", async (path, changes) => {
    const open = await opened();
    expect(errorOf(await open.call("link.create", { ...link, ...changes }))).toMatchObject({
      is: "invalid-params",
      path,
    });
    expect(open.payments.links).toEqual([]);
  });

  it("refuses money and text as payment.start does", async () => {
    const open = await opened();
    expect(errorOf(await open.call("link.create", { ...link, amount: "12" }))).toMatchObject({
      is: "invalid-amount",
      path: "amount",
    });
    const said = errorOf(await open.call("link.create", { ...link, description: "card 4111-1111-1111-1111" }));
    expect(said).toMatchObject({ is: "card-number-in-text", path: "description" });
  });
});
