import { encodeTlvs, parseTlv } from "../../../src/emv/tlv.ts";
import { paymentForm } from "../../../src/gateway/payment-form.ts";
import { answerOf } from "../../../src/gateway/verdict.ts";
import { fromHex } from "../../../src/kit/hex.ts";
import { Secret } from "../../../src/kit/secret.ts";
import { buildBare, parseBare } from "../bare/pure.ts";
import type { Figures } from "../figures.ts";
import { moment } from "../moment.ts";

const ENTITY = "8a8294174b7ecb28014b9699220015ca";
const NAME = "0123456789abcdef0123456789abcdef";
const ICC =
  "82021C008407A0000000031010950580000480009A032601159C01005F2A0209789F02060000000012349F03060000000000009F100706010A03A000009F1A0202769F26083809C50CFC70BBDE9F3303E0F8C89F360203E99F3704F7479CB85F3401009F2701809F34034203009F3501229F4104000000019F1E0831303030303030319F090200024F07A00000000310109F0607A0000000031010";
const SRED = "E3D23D8542D35A02003E9827A6780D5BEA43A0B7709C7882EC5FE045AD7BC637";
const KSN = "FFFF98765432B46D5E88";
const OPERATION = {
  merchantTransactionId: NAME,
  paymentType: "PA",
  amount: 1234,
  currency: "EUR",
  entityId: ENTITY,
} as const;
const BODY = JSON.stringify({
  ...{ id: "fad5d8e36f18995278c9e2f23febd4af", paymentType: "PA", amount: "12.34", currency: "EUR" },
  merchantTransactionId: NAME,
  result: { code: "000.100.110", description: "Request successfully processed" },
  card: { bin: "476134", last4Digits: "0050" },
  resultDetails: { AcquirerResponse: "00", AuthCode: "528784" },
  pos: { iccDataResponse: "8A023030910A65C8441790D546273030", statusText: "APPROVED" },
});
const REPEATS = 500;

/** Pure functions, and plain ones that do the same without checks, by turns. Microseconds a call. */
export function measurePure(batches: number, figures: Figures): void {
  const channel = { environment: "test", entityId: ENTITY, settlement: "dual", testMode: "INTERNAL" } as const;
  const order = {
    ...{ operation: OPERATION, channel, device: { terminalId: "12345678", pinEntry: true, deviceType: "MIURA_M020" } },
    card: { entryMode: "ICC", icc: ICC },
    sealed: { sred: { data: new Secret(SRED), ksn: KSN } },
    parameters: {},
  } as const;
  const fields = {
    ...{ entityId: ENTITY, testMode: "INTERNAL", amount: "12.34", currency: "EUR", paymentType: "PA" },
    ...{ merchantTransactionId: NAME, "pos.entryMode": "ICC", "pos.iccDataRequest": ICC },
    ...{ "pos.terminalId": "12345678", "pos.deviceType": "MIURA_M020" },
    ...{ "pos.encryptedSred.data": SRED, "pos.encryptedSred.ksn": KSN },
  };
  const bytes = fromHex(ICC);
  const parsed = parseTlv(bytes);
  const objects = parsed.ok ? parsed.objects : [];
  const expected = { environment: "test", ...OPERATION, referencedId: undefined, industryPractice: undefined } as const;
  const pairs: readonly (readonly [row: string, own: () => unknown, bare: () => unknown])[] = [
    ["tlv-parse", () => parseTlv(bytes), () => parseBare(bytes)],
    ["tlv-build", () => encodeTlvs(objects), () => buildBare(objects)],
    ["form", () => paymentForm(order), () => new URLSearchParams(fields).toString()],
    ["verdict", () => answerOf({ is: "answered", status: 200, body: BODY }, expected), () => JSON.parse(BODY)],
  ];
  for (const [row, own, bare] of pairs)
    for (let batch = 0; batch < 2 * batches; batch += 1)
      for (const [of, run] of [
        ["bridge", own],
        ["bare", bare],
      ] as const) {
        const began = moment();
        for (let n = 0; n < REPEATS; n += 1) run();
        // The first half lets the compiler finish.
        if (batch >= batches) figures.add(row, of, ((moment() - began) * 1_000) / REPEATS);
      }
  if (!paymentForm(order).ok) throw new Error("the form is refused");
}
