import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answered, bench } from "./bench.ts";
import { ENTITY, formOf, TOKEN } from "./simulated-till.ts";

const FORM = "application/x-www-form-urlencoded";

describe("authentication", () => {
  test.each([
    ["no header", undefined, 401],
    ["another scheme", "Basic c2FuZGJveA==", 401],
    ["a scheme without a token", "Bearer", 401],
    ["a token with a blank in it", "Bearer a b", 401],
    ["a wrong token", "Bearer wrong-token", 403],
    ["a token that begins right", `Bearer ${TOKEN}x`, 403],
  ])("with %s is refused and tells nothing", async (_what, authorization, status) => {
    const { raw, till, sandbox } = bench();
    const headers = { "content-type": FORM, ...(authorization !== undefined && { authorization }) };
    const handled = await raw("POST", "/v1/payments", formOf(till.sale().fields), headers);
    expect(answered(handled)).toMatchObject({
      status,
      code: "800.900.300",
      body: { ndc: expect.stringMatching(/^[0-9a-f]{32}$/) },
    });
    expect(sandbox.ledger()).toEqual([]);
  });

  test("with a token that belongs to another entity is 403", async () => {
    const { till, post } = bench();
    const fields = new Map(till.sale().fields).set("entityId", "8a8294174b7ecb28014b9699220015cb");
    expect(await post("/v1/payments", fields)).toMatchObject({ status: 403, code: "800.900.300" });
  });

  test("comes before anything is said about the request, whatever that is", async () => {
    const handled = await bench().raw("POST", "/v1/payments", "a=%FF&&&a=1", {
      "content-type": FORM,
      authorization: "Bearer wrong-token",
    });
    expect(answered(handled).status).toBe(403);
  });
});

describe("parameters", () => {
  const problemOf = async (change: (fields: Map<string, string>) => void) => {
    const { till, post, sandbox } = bench();
    const fields = new Map(till.sale().fields);
    change(fields);
    const { status, code, body } = await post("/v1/payments", fields);
    expect({ status, code, rows: sandbox.ledger().length }).toEqual({ status: 400, code: "200.300.404", rows: 0 });
    return body.result.parameterErrors ?? [];
  };

  test("an unknown name is not an allowed parameter", async () => {
    expect(await problemOf((fields) => fields.set("amuont", "1.00"))).toEqual([
      { name: "amuont", value: "1.00", message: "is not an allowed parameter" },
    ]);
  });

  test("what is secret is not sent back", async () => {
    const problems = await problemOf((fields) =>
      fields.set("pos.encryptedPin.data", "X-Z").set("card.number", "4761-3400"),
    );
    expect(problems.map(({ name, value }) => [name, value])).toEqual(
      expect.arrayContaining([
        ["pos.encryptedPin.data", ""],
        ["card.number", ""],
      ]),
    );
  });

  test.each(["57", "5A", "5F20", "5F24", "99", "9F6B"])("chip data with %s in clear are refused", async (tag) => {
    const problems = await problemOf((fields) =>
      fields.set("pos.iccDataRequest", `${fields.get("pos.iccDataRequest")}${tag}021234`),
    );
    expect(problems).toEqual([{ name: "pos.iccDataRequest", value: "", message: `must not carry ${tag} in clear` }]);
  });

  test.each([
    ["a body that is no form", "application/json", "/v1/payments"],
    ["parameters in the address of a POST", FORM, `/v1/payments?entityId=${ENTITY}`],
  ])("%s is refused", async (_what, type, path) => {
    const { raw, till } = bench();
    const handled = await raw("POST", path, formOf(till.sale().fields), {
      "content-type": type,
      authorization: `Bearer ${TOKEN}`,
    });
    expect(answered(handled)).toMatchObject({ status: 400, code: "200.300.404" });
  });
});

describe("paths", () => {
  test.each([
    ["GET", "/v1/payment"],
    ["GET", "/v1/payments"],
    ["PUT", "/v1/payments"],
    ["DELETE", "/v1/payments/abc"],
    ["POST", "/v1/payments/a/b"],
    ["GET", "/v2/query"],
    ["POST", "/"],
  ])("%s %s is HTTP 404", async (method, path) => {
    const handled = await bench().raw(method, path, "", { authorization: `Bearer ${TOKEN}`, "content-type": FORM });
    expect(answered(handled).status).toBe(404);
  });
});

test("whatever is sent gets an answer in the gateway's form, and nothing is booked", async () => {
  const on = bench();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("GET", "POST", "PUT"),
      fc.oneof(
        fc.constantFrom("/v1/payments", "/v1/query", `/v1/payments/${"0".repeat(32)}`, "//", "/v1/query?entityId=%"),
        fc.webPath(),
        fc.string().map((text) => `/${text}`),
      ),
      fc.oneof(
        fc.string(),
        fc.webQueryParameters(),
        fc.dictionary(fc.string(), fc.string()).map((fields) => formOf(Object.entries(fields))),
      ),
      async (method, path, body) => {
        const handled = await on.raw(method, path, body);
        // Only the page for people and the calls for tests are no part of the gateway.
        if (
          handled.is === "reply" &&
          (handled.headers["content-type"]?.startsWith("text/plain") || path.startsWith("/sandbox/"))
        )
          return;
        expect(answered(handled).status).toBeGreaterThanOrEqual(400);
      },
    ),
    { numRuns: 300 },
  );
  expect(on.sandbox.ledger()).toEqual([]);
});

describe("the request line", () => {
  const query = `/v1/query?entityId=${ENTITY}&merchantTransactionId=nobody-asked`;

  test("may name the whole address (RFC 9112, section 3.2.2)", async () => {
    const { get } = bench();
    expect([await get(query), await get(`http://127.0.0.1${query}`)]).toMatchObject([
      { code: "700.400.580" },
      { code: "700.400.580" },
    ]);
  });

  test.each(["/v1/./query", "/v1/none/../query", "//v1/query", "*", "", "v1/query"])(
    "%s is walked to no other address",
    async (path) => {
      expect(await bench().get(`${path}?entityId=${ENTITY}&merchantTransactionId=nobody-asked`)).toMatchObject({
        status: 404,
        code: "200.300.404",
      });
    },
  );

  test("a page of another origin gets no further by dots than by the address itself", () => {
    const { sandbox } = bench();
    expect(
      ["/shopper/link/abc", "/v1/payments", "/shopper/../v1/payments", "/v1/../shopper/link/abc"].map((path) =>
        sandbox.isForShoppers("POST", path),
      ),
    ).toEqual([true, false, false, false]);
  });
});
