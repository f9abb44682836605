import { describe, expect, test } from "vitest";
import type { GatewayOrder } from "../../../src/engine/ports.ts";
import { decodeForm } from "../../../src/gateway/form.ts";
import { paymentForm } from "../../../src/gateway/payment-form.ts";
import { Secret } from "../../../src/kit/secret.ts";

const ENTITY = "8a8294174b7ecb28014b9699220015ca";
const PIN = "1B9C1845EB993A7A";
const SRED = "FC0D53B7EA1FDA9EE68AAF2E70D9B9506229BE2AA993F04F";
const ICC = "9F02060000000012349F2608A1B2C3D4E5F60708";

const SALE: GatewayOrder = {
  operation: {
    merchantTransactionId: "0123456789abcdef0123456789abcdef",
    paymentType: "PA",
    amount: 1234,
    currency: "EUR",
    entityId: ENTITY,
    sequenceNumber: 42,
  },
  channel: { environment: "test", entityId: ENTITY, testMode: "INTERNAL", settlement: "dual" },
  device: {
    terminalId: "12345678",
    deviceType: "MIURA_M020",
    deviceId: "0012345",
    location: { latitude: "50.1109", longitude: "-8.6821", accuracy: "10" },
    pinEntry: true,
  },
  card: { entryMode: "ICC", icc: ICC, panSequenceNumber: "01" },
  sealed: {
    sred: { data: new Secret(SRED), ksn: "FFFF9876543210E00001" },
    pin: { data: new Secret(PIN), ksn: "FFFF9876543210E00002" },
  },
  parameters: {
    merchantInvoiceId: "INV-00001",
    cart: { items: [{ name: "Tea", quantity: 2, price: "6.17" }] },
    customParameters: { SHOPPER_till: "1" },
  },
};

type Changes = Partial<Omit<GatewayOrder, "operation">> & { readonly operation?: Partial<GatewayOrder["operation"]> };
const order = ({ operation, ...changes }: Changes = {}): GatewayOrder => ({
  ...SALE,
  ...changes,
  operation: { ...SALE.operation, ...operation },
});

function fieldsOf(of: GatewayOrder) {
  const form = paymentForm(of);
  if (!form.ok) throw new Error(form.problems.join("; "));
  const decoded = decodeForm(form.body?.reveal() ?? form.query.slice(1));
  if (!decoded.ok) throw new Error(decoded.error);
  return { form, fields: [...decoded.value] };
}

test("a chip sale with PIN says everything that is known, in order", () => {
  const { form, fields } = fieldsOf(order());
  expect(form.path).toBe("v1/payments");
  expect(fields).toEqual([
    ["entityId", ENTITY],
    ["amount", "12.34"],
    ["currency", "EUR"],
    ["paymentType", "PA"],
    ["merchantTransactionId", "0123456789abcdef0123456789abcdef"],
    ["testMode", "INTERNAL"],
    ["pos.entryMode", "ICC"],
    ["pos.terminalId", "12345678"],
    ["pos.deviceId", "0012345"],
    ["pos.deviceType", "MIURA_M020"],
    ["pos.transactionSource", "POS"],
    ["pos.pinEntryCapability", "PIN_ENTRY_AVAILABLE"],
    ["pos.transactionSequenceNumber", "000042"],
    ["pos.panSequenceNumber", "01"],
    ["pos.iccDataRequest", ICC],
    ["pos.encryptedSred.data", SRED],
    ["pos.encryptedSred.ksn", "FFFF9876543210E00001"],
    ["pos.encryptedPin.data", PIN],
    ["pos.encryptedPin.ksn", "FFFF9876543210E00002"],
    ["pos.location.latitude", "50.1109"],
    ["pos.location.longitude", "-8.6821"],
    ["pos.location.accuracy", "10"],
    ["merchantInvoiceId", "INV-00001"],
    ["cart.items[0].name", "Tea"],
    ["cart.items[0].quantity", "2"],
    ["cart.items[0].price", "6.17"],
    ["customParameters[SHOPPER_till]", "1"],
  ]);
  expect(form.lengths["pos.encryptedPin.data"]).toBe(PIN.length);
});

test("what prints the form prints no card data", () => {
  const { form } = fieldsOf(order());
  expect(JSON.stringify(form)).not.toContain(PIN);
  expect(JSON.stringify(form)).not.toContain(SRED);
  expect(JSON.stringify(form)).not.toContain(ICC);
});

test("a swiped card of a plain terminal says less", () => {
  const { fields } = fieldsOf(
    order({
      device: { terminalId: "12345678", pinEntry: false },
      card: { entryMode: "MAGSTRIPE" },
      sealed: {},
      parameters: {},
    }),
  );
  expect(fields.slice(6)).toEqual([
    ["pos.entryMode", "MAGSTRIPE"],
    ["pos.terminalId", "12345678"],
    ["pos.transactionSource", "POS"],
    ["pos.pinEntryCapability", "PIN_ENTRY_UNAVAILABLE"],
    ["pos.transactionSequenceNumber", "000042"],
  ]);
});

test("a live channel says no testMode, and yen have no decimals", () => {
  const { fields } = fieldsOf(
    order({
      channel: { environment: "live", entityId: ENTITY, testMode: "INTERNAL", settlement: "dual" },
      operation: { amount: 1200, currency: "JPY" },
    }),
  );
  expect(new Map(fields).has("testMode")).toBe(false);
  expect(new Map(fields).get("amount")).toBe("1200");
});

describe("what refers to a booking", () => {
  const referencedId = "8ac7a4a282d522f70182d53e7a873640";

  test("a capture repeats the chip's data, never what was sealed", () => {
    const { form, fields } = fieldsOf(order({ operation: { paymentType: "CP", referencedId }, parameters: {} }));
    expect(form.path).toBe(`v1/payments/${referencedId}`);
    expect(fields).toEqual([
      ["entityId", ENTITY],
      ["amount", "12.34"],
      ["currency", "EUR"],
      ["paymentType", "CP"],
      ["merchantTransactionId", "0123456789abcdef0123456789abcdef"],
      ["testMode", "INTERNAL"],
      ["pos.entryMode", "ICC"],
      ["pos.terminalId", "12345678"],
      ["pos.iccDataRequest", ICC],
    ]);
  });

  test("a capture has the TC of a card that has said so, a reversal and a refund what the authorization had", () => {
    const TC = "9F02060000000012349F2608F618E3A3DCD4A9BF";
    const card = { entryMode: "ICC", icc: ICC, finalIcc: TC } as const;
    const sent = (paymentType: "CP" | "RV" | "RF" | "PA") =>
      new Map(
        fieldsOf(order({ card, operation: { paymentType, ...(paymentType !== "PA" && { referencedId }) } })).fields,
      ).get("pos.iccDataRequest");
    expect([sent("CP"), sent("RV"), sent("RF"), sent("PA")]).toEqual([TC, ICC, ICC, ICC]);
  });

  test("a full reversal names neither amount nor goods", () => {
    const { amount: _, currency: __, ...operation } = SALE.operation;
    const { fields } = fieldsOf({
      ...SALE,
      operation: { ...operation, paymentType: "RV", referencedId },
      card: { entryMode: "MAGSTRIPE" },
    });
    expect(fields).toEqual([
      ["entityId", ENTITY],
      ["paymentType", "RV"],
      ["merchantTransactionId", "0123456789abcdef0123456789abcdef"],
      ["testMode", "INTERNAL"],
    ]);
  });

  test("the last capture says so, a refund repeats nothing of the card that was not there", () => {
    const { fields } = fieldsOf(
      order({
        operation: { paymentType: "CP", referencedId, sequence: "FINAL" },
        card: { entryMode: "MAGSTRIPE" },
        parameters: {},
      }),
    );
    expect(fields.slice(4)).toEqual([
      ["merchantTransactionId", "0123456789abcdef0123456789abcdef"],
      ["testMode", "INTERNAL"],
      ["sequence", "FINAL"],
    ]);
  });

  test.each([undefined, "", "../checkouts", "a/b", "x".repeat(65), "a?b"])("cannot be sent to %j", (id) => {
    const form = paymentForm(
      order({ operation: { paymentType: "CP", ...(id !== undefined && { referencedId: id }) } }),
    );
    expect(form).toEqual({
      ok: false,
      problems: ["what this operation refers to must be named by an id of the gateway"],
    });
  });
});

describe("a payment by a stored card", () => {
  const registration = "8ac7a4a282d522f70182d53e7a873640";

  test("names the holder for itself alone, and how often a reservation may be captured", () => {
    const {
      card: _,
      sealed: __,
      ...rest
    } = order({ operation: { registration, holder: "Jane Doe", numberOfCaptures: 3 }, parameters: {} });
    expect(fieldsOf(rest).fields.slice(-3)).toEqual([
      ["numberOfCaptures", "3"],
      ["overrideHolder", "true"],
      ["card.holder", "Jane Doe"],
    ]);
  });

  test("says what is written on a gift card, as a card that is presented does", () => {
    const giftCard = { message: "For you", type: "BIRTHDAY" };
    const { card: _, sealed: __, ...rest } = order({ operation: { registration }, parameters: { giftCard } });
    for (const of of [rest, order({ parameters: { giftCard } })]) {
      expect(new Map(fieldsOf(of).fields)).toEqual(
        new Map([
          ...fieldsOf({ ...of, parameters: {} }).fields,
          ["giftCard.message", "For you"],
          ["giftCard.type", "BIRTHDAY"],
        ]),
      );
    }
  });

  test.each(["PA", "DB"] as const)(
    "(%s) is posted under its registration, with what the register passed and without any device",
    (paymentType) => {
      const {
        card: _,
        sealed: __,
        ...rest
      } = order({ operation: { paymentType, registration }, parameters: { standingInstruction: { source: "MIT" } } });
      const { form, fields } = fieldsOf(rest);
      expect(form).toMatchObject({ method: "POST", path: `v1/registrations/${registration}/payments`, query: "" });
      expect(fields).toEqual([
        ["entityId", ENTITY],
        ["amount", "12.34"],
        ["currency", "EUR"],
        ["paymentType", paymentType],
        ["merchantTransactionId", "0123456789abcdef0123456789abcdef"],
        ["testMode", "INTERNAL"],
        ["standingInstruction.source", "MIT"],
      ]);
    },
  );

  test.each(["", "../payments", "a/b", "x".repeat(65)])("cannot be sent to %j", (id) => {
    expect(paymentForm(order({ operation: { registration: id } }))).toMatchObject({ ok: false });
  });
});

describe("an increment", () => {
  const referencedId = "8ac7a4a282d522f70182d53e7a873640";
  const operation = { referencedId, industryPractice: "INCREMENTAL_AUTH", amount: 500 } as const;

  test("is a PA that names its original, begun by the merchant, and says nothing of a card", () => {
    const { form, fields } = fieldsOf(order({ operation, parameters: {} }));
    expect([form.method, form.path]).toEqual(["POST", "v1/payments"]);
    expect(fields).toEqual([
      ["entityId", ENTITY],
      ["amount", "5.00"],
      ["currency", "EUR"],
      ["paymentType", "PA"],
      ["merchantTransactionId", "0123456789abcdef0123456789abcdef"],
      ["testMode", "INTERNAL"],
      ["referenceUuid", referencedId],
      ["standingInstruction.type", "UNSCHEDULED"],
      ["standingInstruction.mode", "REPEATED"],
      ["standingInstruction.source", "MIT"],
      ["standingInstruction.industryPractice", "INCREMENTAL_AUTH"],
    ]);
  });

  test("goes before what a register passed for the first of the series", () => {
    const standingInstruction = { type: "RECURRING", mode: "INITIAL", source: "CIT", agreementId: "A-1" };
    const { fields } = fieldsOf(order({ operation, parameters: { standingInstruction } }));
    expect(fields.filter(([name]) => name.startsWith("standingInstruction.")).map(([, value]) => value)).toEqual([
      ...["UNSCHEDULED", "REPEATED", "MIT", "INCREMENTAL_AUTH"],
      "A-1",
    ]);
  });

  test.each([undefined, "a/b", "x".repeat(33)])("of %j is no form", (id) => {
    expect(
      paymentForm(
        order({ operation: { industryPractice: "INCREMENTAL_AUTH", ...(id !== undefined && { referencedId: id }) } }),
      ).ok,
    ).toBe(false);
  });
});

describe("a card that is to be stored", () => {
  const { amount: _, currency: __, ...rest } = SALE.operation;
  const registration: GatewayOrder = {
    ...SALE,
    operation: { ...rest, paymentType: "RG" },
    parameters: { customer: { givenName: "Ann", surname: "Lee" } },
  };

  test("goes to /v1/registrations with the card and whose it is, without money or type", () => {
    const { form, fields } = fieldsOf(registration);
    expect([form.method, form.path]).toEqual(["POST", "v1/registrations"]);
    expect(fields.slice(0, 5)).toEqual([
      ["entityId", ENTITY],
      ["merchantTransactionId", "0123456789abcdef0123456789abcdef"],
      ["testMode", "INTERNAL"],
      ["pos.entryMode", "ICC"],
      ["pos.terminalId", "12345678"],
    ]);
    const names = fields.map(([name]) => name);
    for (const there of ["pos.iccDataRequest", "pos.encryptedSred.data", "pos.encryptedPin.data", "customer.surname"])
      expect(names).toContain(there);
    for (const absent of ["amount", "currency", "paymentType", "createRegistration"])
      expect(names).not.toContain(absent);
  });

  test("takes no amount, whatever the operation holds of it", () => {
    const { fields } = fieldsOf({
      ...registration,
      operation: { ...registration.operation, amount: 0, currency: "EUR" },
    });
    expect(fields.map(([name]) => name)).not.toContain("amount");
  });

  test("besides a payment is asked for with createRegistration", () => {
    const { form, fields } = fieldsOf(order({ operation: { createRegistration: true }, parameters: {} }));
    expect(form.path).toBe("v1/payments");
    expect(fields).toContainEqual(["createRegistration", "true"]);
  });
});

describe("a stored card that is to be deleted", () => {
  const referencedId = "8ac7a4a282d522f70182d53e7a873640";
  const operation = {
    merchantTransactionId: "0123456789abcdef",
    paymentType: "DR",
    entityId: ENTITY,
    referencedId,
  } as const;

  test("is named by the address of a DELETE, with entity and test mode behind it and nothing else", () => {
    expect(paymentForm({ ...SALE, operation })).toEqual({
      ok: true,
      method: "DELETE",
      path: `v1/registrations/${referencedId}`,
      query: `?entityId=${ENTITY}&testMode=INTERNAL`,
      lengths: { entityId: 32, testMode: 8 },
    });
  });

  test("has no test mode on a live channel", () => {
    expect(
      paymentForm({ ...SALE, operation, channel: { environment: "live", entityId: ENTITY, settlement: "dual" } }),
    ).toMatchObject({
      query: `?entityId=${ENTITY}`,
    });
  });

  test("is not deleted under an id that would be another address", () => {
    expect(paymentForm({ ...SALE, operation: { ...operation, referencedId: "x/../../payments" } }).ok).toBe(false);
  });
});

describe("an order with a problem is not a form", () => {
  const { card: _, ...withoutCard } = SALE;
  const { amount: __, ...withoutAmount } = SALE.operation;

  test.each<[string, GatewayOrder]>([
    ["pos.terminalId must be 1-32 digits", order({ device: { terminalId: "T1", pinEntry: true } })],
    ["pos.deviceId must be 1-32 digits", order({ device: { terminalId: "1", deviceId: "SN-1", pinEntry: true } })],
    ["pos.entryMode may not be empty", withoutCard],
    ["merchantTransactionId must be 8-255 characters", order({ operation: { merchantTransactionId: "short" } })],
    ["entityId must be 32 lowercase hexadecimal digits", order({ operation: { entityId: "x" } })],
    [
      "pos.encryptedPin.data must be 1-2048 letters or digits",
      order({ sealed: { pin: { data: new Secret("nw=="), ksn: "FFFF9876543210E00002" } } }),
    ],
    ["pos.terminalId is set by the bridge alone", order({ parameters: { pos: { terminalId: "87654321" } } })],
    [
      "referenceUuid is set by the bridge alone",
      order({ parameters: { referenceUuid: "8ac7a4a282d522f70182d53e7a873640" } }),
    ],
    ["createRegistration is set by the bridge alone", order({ parameters: { createRegistration: "true" } })],
    ["amount is set by the bridge alone", order({ parameters: { amount: "0.01" } })],
    ["card.number is not an allowed parameter", order({ parameters: { card: { number: "4012345678909" } } })],
    [
      "cart.items[0].price must be a decimal with up to 10 digits and exactly 2 decimals",
      order({ parameters: { cart: { items: [{ price: "6" }] } } }),
    ],
    ["customer.surname may not be empty", order({ parameters: { customer: { givenName: "Ann" } } })],
  ])("%s", (problem, bad) => {
    const form = paymentForm(bad);
    expect(form).toEqual({ ok: false, problems: [problem] });
  });

  test("an amount that is not there", () => {
    expect(paymentForm({ ...SALE, operation: withoutAmount })).toEqual({
      ok: false,
      problems: ["amount may not be empty", "currency may not be empty"],
    });
  });

  test("a currency that this version does not take", () => {
    const form = paymentForm(order({ operation: { currency: "KWD" } }));
    expect(form.ok || form.problems).toContain("currency must be one that this version takes");
  });

  test("and its problems hold no values", () => {
    const form = paymentForm(
      order({
        sealed: { sred: { data: new Secret("NOT-HEX-BUT-SECRET"), ksn: "AB" } },
        parameters: { customParameters: { x: "PRIVATE" } },
      }),
    );
    expect(form.ok).toBe(false);
    expect(JSON.stringify(form)).not.toMatch(/SECRET|PRIVATE/);
  });
});
