import fc from "fast-check";
import { expect, it } from "vitest";
import { Secret } from "../../../src/kit/secret.ts";
import { shortFigures, supportBundle } from "../../../src/observe/support-bundle.ts";

const PAN = "4761340000000050";

it("is one JSON text, with secrets and certificates left out", () => {
  const made = supportBundle({
    configuration: {
      accessToken: new Secret("gateway-token"),
      tls: { cert: "-----BEGIN", key: new Secret("key") },
      ca: "-----BEGIN",
    },
  });
  if (!made.ok) throw new Error(made.where);
  expect(JSON.parse(made.text)).toEqual({
    configuration: { accessToken: "[secret]", tls: { cert: "[left out]", key: "[secret]" }, ca: "[left out]" },
  });
});

it.each<readonly [string, object]>([
  ["log[1].fields.detail", { log: [{ text: "well" }, { fields: { detail: `card ${PAN}` } }] }],
  ["log[0].text", { log: [{ text: "4761 3400 0000 0050" }] }],
  ["terminals[0].firmware", { terminals: [{ firmware: Number(PAN) }] }],
  ["configuration.merchant", { configuration: { merchant: { [PAN]: 1 } } }],
  ["openPayments[0].id", { openPayments: [{ id: PAN }] }],
  ["openPayments[0].steps[0].payment", { openPayments: [{ steps: [{ payment: `${PAN}D22122011143804` }] }] }],
])("is not made where %s reads like a card number, and says where but not what", (where, parts) => {
  const made = supportBundle({ version: "1", ...parts });
  expect(made).toEqual({ ok: false, where });
  expect(JSON.stringify(made)).not.toContain(PAN);
});

it("takes no id of this bridge or of the gateway, and no measured time, for a card number", () => {
  const ids = {
    payment: `pay_${PAN}abcdefab`,
    id: `${PAN}abcdefabcdefabcd`,
    merchantTransactionId: `a${PAN}bcdefabcdefabcd`,
    gatewayId: `${PAN}ABCDEFABCDEFABCD`,
    ms: 12 + 5 / 13,
  };
  expect(supportBundle({ openPayments: [ids] }).ok).toBe(true);
});

it("is refused wherever a card number stands, however deep", () => {
  const places = fc.array(fc.oneof(fc.stringMatching(/^[a-z]{5,8}$/), fc.constant(0)), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(places, (path) => {
      const parts = path.reduceRight<unknown>((inner, step) => (step === 0 ? [inner] : { [step]: inner }), `n ${PAN}`);
      const made = supportBundle({ parts });
      expect(made.ok).toBe(false);
    }),
  );
});

it("has figures with three decimals at most and without their help", () => {
  expect(shortFigures('# HELP a b\n# TYPE a counter\na{le="0.0025"} 12.345678901234567\nb 3\n')).toEqual([
    'a{le="0.002"} 12.345',
    "b 3",
  ]);
});
