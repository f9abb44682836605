import { describe, expect, test } from "vitest";
import { tlvPayload } from "../../../../drivers/magtek-dynaflex/message.ts";
import { tags } from "../../../../src/card/dynapro-data.ts";
import { encodeTlv, encodeTlvs } from "../../../../src/emv/tlv.ts";
import { concat, fromAscii } from "../../../../src/kit/bytes.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { ALL } from "../../../support/driver-bench.ts";
import { arqc, batch, createBench, held, identified, running } from "./bench.ts";
import { vectors } from "./vectors.ts";

/** A test card's number, its expiry and its holder, none of which may leave the driver. */
const NUMBER = "4761739001010119";
const TRACK = `${NUMBER}D22122010000000000`;
const NAME = "434152442F54455354";

/** An ARQC with an object beside the card data, in the frame (F9). */
function withBeside(tag: string, value: string): Uint8Array {
  const whole = encodeTlv(
    tags.whole,
    encodeTlvs([
      { tag: tags.serialNumber, value: fromAscii("B603226") },
      { tag, value: fromHex(value) },
      { tag: tags.generic, value: encodeTlv(tags.arqc, encodeTlvs([{ tag: tags.cardType, value: Uint8Array.of(5) }])) },
    ]),
  );
  return tlvPayload(["84", concat(Uint8Array.of(whole.length >> 8, whole.length & 0xff), whole, new Uint8Array(4))]);
}

/** An ARQC whose ciphertext was never encrypted. */
function unencrypted(plain: string): Uint8Array {
  const inside = [
    { tag: tags.cardType, value: Uint8Array.of(5) },
    { tag: tags.data, value: fromHex(plain) },
    { tag: tags.ksn, value: fromHex("FFFF9876543210E00001") },
  ];
  const whole = encodeTlv(
    tags.whole,
    encodeTlvs([
      { tag: tags.serialNumber, value: fromAscii("B603226") },
      { tag: tags.generic, value: encodeTlv(tags.arqc, encodeTlvs(inside)) },
    ]),
  );
  return tlvPayload(["84", concat(Uint8Array.of(whole.length >> 8, whole.length & 0xff), whole, new Uint8Array(4))]);
}

/** What a collect makes of an ARQC, once its transaction is over. */
function madeOf(payload: Uint8Array): readonly unknown[] {
  const bench = createBench();
  running(bench);
  bench.tell("progress", "10010200");
  bench.look();
  bench.tell("progress", "10080202", payload);
  if (bench.state().job.is === "stop") {
    bench.answer();
    bench.tell("outcome", "00030100");
  }
  return bench.look().notices;
}

describe("card data in clear never pass, wherever they stand (PROTOCOL.md 6.5)", () => {
  test.each([
    ["a track beside the card data", withBeside("57", TRACK)],
    ["a PIN block beside the card data", withBeside("99", "1122334455667788")],
    ["a number beside the data of the notification", concat(arqc(), encodeTlv("5A", fromHex(NUMBER)))],
    [
      "a ciphertext that is none",
      unencrypted(`${vectors.synthetic.arqcPlain}${"00".repeat(vectors.synthetic.arqcPadBytes)}`),
    ],
  ])("%s is a leak, which names tags alone", (_what, payload) => {
    const notices = madeOf(payload);
    expect(notices).toMatchObject([{ on: "fault", code: "clear-card-data" }]);
    expect(JSON.stringify(notices)).not.toMatch(/4761739|1122334455/);
  });

  test("ciphertext is not taken for a leak", () => {
    expect(madeOf(unencrypted(vectors.synthetic.arqcCipher))).toMatchObject([{ on: "card" }]);
  });

  test("names and expiry are passed over, in an ARQC and in batch data", () => {
    const personal: readonly (readonly [string, string])[] = [
      ["5F20", NAME],
      ["5F24", "221231"],
      ["5F30", "0201"],
      ["89", "303132333435"],
    ];
    const card = JSON.stringify(madeOf(arqc({ more: personal })));
    expect(card).not.toMatch(/5F20|5F24|5F30|221231/);
    const bench = held(createBench());
    bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    bench.answer();
    bench.tell("outcome", "10020600");
    bench.tell("progress", "10080302", batch("00", personal));
    expect(bench.look().notices).toEqual([{ n: 3, on: "finished", verdict: "approved", emv: [] }]);
  });

  test("batch data that come after everything are looked at, too", () => {
    const bench = identified(createBench());
    bench.tell("progress", "10080302", batch("00", [["57", TRACK]]));
    expect(bench.look().notices).toMatchObject([{ n: 0, on: "fault", code: "clear-card-data" }]);
    bench.tell("progress", "10080302", batch("00"));
    expect(bench.look().notices).toEqual([]);
  });

  test("no fault's detail says anything of a message that cannot be read", () => {
    const bench = createBench("serial");
    identified(bench);
    bench.command({ do: "collect", request: ALL });
    bench.answer();
    bench.look();
    bench.feed({
      on: "bytes",
      bytes: concat(Uint8Array.of(0xc0, 2, 0, 0, 0, 12, 0xaa, 0), fromHex(`5F${NUMBER}`), Uint8Array.of(0xff, 0xc0)),
    });
    const { notices } = bench.look();
    expect(notices).toMatchObject([{ on: "fault", code: "protocol" }]);
    expect(JSON.stringify(notices)).not.toMatch(/47|61|73/);
  });
});
