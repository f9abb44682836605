import { describe, expect, test } from "vitest";
import { encodeMessage, parseMessage } from "../../../../drivers/magtek-dynaflex/message.ts";
import { magtekDynaflexSimulator } from "../../../../drivers/magtek-dynaflex/simulator.ts";
import { batchPlain, dynaflexLayout } from "../../../../drivers/magtek-dynaflex/simulator-card-data.ts";
import { tdesKey, zeroPad } from "../../../../packages/sandbox/testbed/des.ts";
import { openSred } from "../../../../packages/sandbox/testbed/sred-opening.ts";
import { parseTlv, type Tlv } from "../../../../src/emv/tlv.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { seededRandom } from "../../../../src/kit/seeded-random.ts";
import type { LineKind } from "../../../../src/simulator/simulated-terminal.ts";
import { createVirtualClock } from "../../../support/virtual-clock.ts";
import { vectors } from "./vectors.ts";

/*
 * The simulated device before the maker's own hosts: their questions, their way to read an answer, and their batch
 * data.
 */

/** What the device says to these messages, in order; over a network each is one WebSocket message. */
async function saysTo(
  serialNumber: string,
  asked: readonly string[],
  line: LineKind = "websocket",
  card?: string,
): Promise<readonly string[]> {
  const clock = createVirtualClock(Date.UTC(2026, 0, 15, 10, 15, 0));
  const terminal = magtekDynaflexSimulator.create({
    clock,
    random: seededRandom(1),
    automatic: undefined,
    serialNumber,
  });
  const said: string[] = [];
  const host = terminal.attach((bytes) => said.push(toHex(bytes)), line);
  for (const hex of asked) {
    host.receive(fromHex(hex));
    await clock.advance(50);
  }
  if (card !== undefined) terminal.present(card);
  await clock.advance(1_000);
  return said;
}

const messageOf = (number: string, is: "request" | "response", beginning: string): string => {
  const found = vectors.messages.find(
    (one) => one.number === number && one.is === is && one.meaning.startsWith(beginning),
  );
  if (found === undefined) throw new Error(`no ${is} ${beginning}`);
  return found.hex;
};

describe("GET PROPERTY", () => {
  test("of the serial number is answered byte for byte as published", async () => {
    expect(await saysTo("B61378A", [messageOf("D101", "request", "get the serial number")])).toEqual([
      messageOf("D101", "response", "serial number B61378A"),
    ]);
  });

  /**
   * Firmware as the maker's demonstration asks for it, the whole path in the tree; and the same property with a short
   * tree.
   */
  test.each([
    [
      "in a tree",
      "AA0081040102D101841AD10181072B06010401F609850102890AE108E206E204E202C200",
      "81072B06010401F60985010289",
      "C2",
    ],
    ["behind a prefix", "AA0081040155D101840FD1018501028704010202028902C200", "850102870401020202", "C2"],
  ])(
    "repeats the question's own path, %s, and writes a length of three bytes, where the maker's code reads",
    async (_how, asked, beginning, leaf) => {
      const [answer = ""] = await saysTo("B61378A", [asked]);
      // 82 with its four bytes, then 84 82 nn nn and the command: twenty-four digits, which that code cuts off.
      const [, size, payload = ""] = /^AA00810482..D1018204000000008482([0-9A-F]{4})D101(.*)$/.exec(answer) ?? [];
      expect(Number.parseInt(size ?? "", 16)).toBe(payload.length / 2 + 2);
      expect(payload.startsWith(beginning)).toBe(true);
      expect(payload).toMatch(new RegExp(`${leaf}[0-9A-F]{2}31303030`));
      expect(parseMessage(fromHex(answer))).toMatchObject({ is: "response", summary: 0, payload: fromHex(payload) });
    },
  );
});

describe("SET PROPERTY", () => {
  /**
   * MagTek, MMS DynaDevices Master Programmer's Manual D100005000-103 (GitHub MagTek-PaulDeignan/MagTekDocs, commit
   * 3fde782), tables 467 and 477.
   */
  test.each([
    "AA0081048255D11182040000000084820010D1118501018704010101028903C10100",
    "AA0081048255D11182040000000084820012D1118501018704010101028905C303108725",
  ])("is answered with a length of three bytes too: %s", (published) => {
    const message = parseMessage(fromHex(published));
    if (typeof message === "string" || message.is === "other") throw new Error(`not read: ${published}`);
    expect(toHex(encodeMessage(message))).toBe(published);
  });
});

describe("notifications", () => {
  const start = vectors.synthetic.startTxnFullEmv;

  test.each<[LineKind, boolean]>([
    ["websocket", true],
    ["serial", false],
  ])("over %s come without a subscription: %s", async (line, comes) => {
    const said = await saysTo("B61378A", line === "serial" ? [] : [start], line, "visa-contact");
    expect(said.some((hex) => hex.startsWith("AA00810483000101820410010200"))).toBe(comes);
  });
});

describe("batch data", () => {
  const { synthetic } = vectors;
  const key = fromHex(synthetic.dataKeyVariant);
  const objects: readonly Tlv[] = [
    { tag: "57", value: fromHex("4761739001010010D22122011143878089") },
    { tag: "9F26", value: fromHex("0123456789ABCDEF") },
  ];

  /** The ciphertext (DFDF59) of the synthetic batch data, opened. */
  const published = (): string => {
    const at = synthetic.batchBlobApproved.indexOf("DFDF5981C8") + 10;
    return toHex(tdesKey(key).cbcDecrypt(fromHex(synthetic.batchBlobApproved.slice(at, at + 2 * 0xc8))));
  };

  test("has the card's objects in FC{F2}, and what a reversal takes in F3, as published", () => {
    expect(published()).toMatch(/^FC81..F281..4F07A0000000031010/);
    const parsed = parseTlv(batchPlain(objects, false));
    const [whole] = parsed.ok ? parsed.objects : [];
    expect([whole?.tag, toHex(whole?.value ?? new Uint8Array()).slice(0, 2)]).toEqual(["FC", "F2"]);
    const reversed = toHex(batchPlain(objects, true));
    expect(reversed).toMatch(/^FC..F2(..)(.*)F3\1\2$/);
  });

  test("is opened by the issuer, who leaves out what a reversal takes", () => {
    const sealed = tdesKey(key).cbcEncrypt(zeroPad(batchPlain(objects, true)));
    const opened = openSred(dynaflexLayout, key, sealed);
    expect(opened).toMatchObject({
      ok: true,
      card: { pan: "4761739001010010", expiry: "2212" },
      icc: "9F26080123456789ABCDEF",
    });
    expect(opened.ok && opened.objects?.map(({ tag }) => tag)).toEqual(["57", "9F26"]);
  });
});
