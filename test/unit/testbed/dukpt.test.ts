import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { retailMac, tdesKey, zeroPad } from "../../../packages/sandbox/testbed/des.ts";
import { hostKey, initialKey, keyChain, transactionKey, workingKey } from "../../../packages/sandbox/testbed/dukpt.ts";
import { withCounter } from "../../../packages/sandbox/testbed/ksn.ts";
import { encodePinBlock } from "../../../packages/sandbox/testbed/pin-block.ts";
import { fromAscii } from "../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import { vector, vectors } from "./vectors.ts";

const published = z
  .object({
    dukpt_tdes: z.object({
      bdk: z.string(),
      ipek: z.string(),
      iksn: z.string(),
      pin: z.string(),
      pan: z.string(),
      vectors: z.array(
        z.object({
          ksn: z.string(),
          transaction_key: z.string(),
          pin_key: z.string(),
          encrypted_pin_block: z.string(),
          data_key_request: z.string(),
          encrypted_data_request: z.string(),
        }),
      ),
    }),
  })
  .parse(JSON.parse(readFileSync(new URL("../../vectors/crypto-vectors.json", import.meta.url), "utf8"))).dukpt_tdes;

test("the initial key of the X9.24 example, whatever the counter in the KSN", () => {
  expect(toHex(initialKey(fromHex(published.bdk), fromHex(published.iksn)))).toBe(published.ipek);
  expect(toHex(initialKey(fromHex(published.bdk), fromHex("FFFF9876543210EFF800")))).toBe(published.ipek);
});

test.each(published.vectors)("X9.24 example, KSN $ksn: keys, PIN block and card data", (row) => {
  const bdk = fromHex(published.bdk);
  const ksn = fromHex(row.ksn);
  expect(toHex(transactionKey(initialKey(bdk, ksn), ksn))).toBe(row.transaction_key);
  const pinKey = hostKey(bdk, ksn, "pin");
  expect(toHex(pinKey)).toBe(row.pin_key);
  expect(toHex(tdesKey(pinKey).encrypt(encodePinBlock(published.pin, published.pan)))).toBe(row.encrypted_pin_block);
  const dataKey = hostKey(bdk, ksn, "data-request");
  expect(toHex(dataKey)).toBe(row.data_key_request);
  expect(toHex(tdesKey(dataKey).cbcEncrypt(zeroPad(fromAscii("4012345678909D987"))))).toBe(row.encrypted_data_request);
});

describe.each(vectors("dukpt.tdes.e").map((row) => [row.id, row] as const))("%s", (_id, row) => {
  const ksn = row.input("ksn");
  const transaction = transactionKey(row.input("ik"), ksn);

  test.each([
    ["pin", "pinKey"],
    ["mac-request", "macRequestKey"],
    ["mac-response", "macResponseKey"],
    ["data-request", "dataRequestKey"],
    ["data-response", "dataResponseKey"],
  ] as const)("the key for %s", (use, output) => {
    expect(toHex(transaction)).toBe(row.outputText("transactionKey"));
    expect(toHex(workingKey(transaction, use))).toBe(row.outputText(output));
  });

  test("the request MAC", () => {
    const mac = retailMac(workingKey(transaction, "mac-request")).mac(
      zeroPad(fromAscii(row.inputText("messageAscii"))),
    );
    expect(toHex(mac.subarray(0, 4))).toBe(row.outputText("macRequest4"));
  });
});

test("without its extra step the data key is the transaction key under the mask", () => {
  const row = vector("dukpt.tdes.e00001");
  expect(toHex(workingKey(row.output("transactionKey"), "data-request-unhashed"))).toBe(
    "042666B4917BCFA368DE9628D0C67BC9",
  );
});

test("a chain of keys gives the same key as a fresh derivation, in whatever order its counters come", () => {
  const ksn = fromHex(published.iksn);
  const initial = fromHex(published.ipek);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0x1f_ffff }), { minLength: 2, maxLength: 6 }), (counters) => {
      const chain = keyChain(initial);
      for (const counter of counters) {
        const at = withCounter(ksn, counter);
        expect(toHex(chain(at))).toBe(toHex(transactionKey(initial, at)));
      }
    }),
    { numRuns: 30 },
  );
});
