import { describe, expect, test } from "vitest";
import { ACK, cutLine, encodeFrame, type Frame, frameIn } from "../../../../drivers/pax-d180/frame.ts";
import { callBackAnswer, commandFrame, wordIn } from "../../../../drivers/pax-d180/message.ts";
import { paxD180Simulator } from "../../../../drivers/pax-d180/simulator.ts";
import { hostKey } from "../../../../packages/sandbox/testbed/dukpt.ts";
import { knownSredLayout } from "../../../../packages/sandbox/testbed/sred-layouts.ts";
import { openSred } from "../../../../packages/sandbox/testbed/sred-opening.ts";
import { PUBLISHED_TEST_BDK } from "../../../../packages/sandbox/testbed/test-keys.ts";
import { concat } from "../../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { seededRandom } from "../../../../src/kit/seeded-random.ts";
import { createVirtualClock } from "../../../support/virtual-clock.ts";

type Name = Parameters<typeof commandFrame>[0];

/** A D180 on a line of its own, with somebody who speaks to it byte by byte. */
function device() {
  const clock = createVirtualClock(Date.UTC(2026, 0, 15, 10, 15, 0));
  const terminal = paxD180Simulator.create({ clock, random: seededRandom(1), automatic: undefined });
  let said: Uint8Array[] = [];
  const line = terminal.attach((bytes) => said.push(bytes));
  const frames = (): readonly Frame[] =>
    cutLine(new Uint8Array(0), concat(...said)).items.flatMap((item) =>
      item.is === "frame" ? [frameIn(item.body)] : [],
    );
  const sends = async (bytes: Uint8Array, ms = 200): Promise<readonly Uint8Array[]> => {
    said = [];
    line.receive(bytes);
    await clock.advance(ms);
    return said;
  };
  /** One command with its acknowledgements: return code, and what is behind it. */
  const asks = async (name: Name, data = ""): Promise<{ readonly rc: number | undefined; readonly data: string }> => {
    await sends(commandFrame(name, fromHex(data)));
    const [frame] = frames();
    line.receive(Uint8Array.of(ACK));
    await clock.advance(1);
    return { rc: frame && wordIn(frame.data), data: toHex(frame?.data.slice(4) ?? new Uint8Array(0)) };
  };
  return { clock, terminal, line, sends, asks, frames };
}

const CHIP: readonly (readonly [Name, string])[] = [
  ["init", ""],
  ["set-object", "5F2A000000020978"],
  ["select", "0000000001"],
  ["read-records", ""],
  ["authenticate-card", ""],
];

async function begun(card: string) {
  const pad = device();
  pad.terminal.present(card, "insert");
  for (const [name, data] of CHIP) expect(await pad.asks(name, data)).toEqual({ rc: 0, data: "" });
  return pad;
}

describe("the line of the device", () => {
  test("a command is acknowledged first, then answered", async () => {
    const { sends } = device();
    const said = await sends(commandFrame("ping"));
    expect(said.map(toHex)).toEqual(["06", "029036000400000000A2"]);
  });

  test("an answer that is not acknowledged comes again, five times in all", async () => {
    const { sends } = device();
    const said = await sends(commandFrame("ping"), 20_000);
    expect(said.slice(1).map(toHex)).toEqual(Array(5).fill("029036000400000000A2"));
  });

  test("a spoiled command is refused, and taken when it comes again", async () => {
    const { sends } = device();
    const ping = commandFrame("ping");
    expect((await sends(ping.with(-1, 0))).map(toHex)).toEqual(["15"]);
    expect((await sends(ping)).map(toHex)).toEqual(["06", "029036000400000000A2"]);
  });

  test("a command that it does not know is refused", async () => {
    const { sends, frames } = device();
    await sends(encodeFrame({ command: 0x90, sub: 0x06, data: new Uint8Array(0) }));
    expect(frames().map(({ data }) => wordIn(data))).toEqual([-0xffff]);
  });

  test("a second command while it works is not heard", async () => {
    const pad = await begun("visa-contact");
    await pad.sends(commandFrame("start", fromHex("000004D200000000")), 10);
    expect((await pad.sends(commandFrame("ping"), 300)).map(toHex)).toEqual(["06", "0290A30005000000000234"]);
  });
});

describe("a card in the device", () => {
  test("goes online, and gives its objects: what is secret sealed, all under one key", async () => {
    const { asks } = await begun("visa-contact");
    expect(await asks("start", "000004D200000000")).toEqual({ rc: 0, data: "02" });
    expect(await asks("get-object", "9F02")).toEqual({ rc: 0, data: "00000006000000001234" });
    const track = await asks("get-object", "0057");
    const number = await asks("get-object", "005A");
    expect([track.rc, number.rc]).toEqual([-0x110000, -0x110000]);
    const ksn = await asks("ksn", "01");
    const layout = knownSredLayout("PAX_D180");
    for (const { data } of [track, number]) {
      const opened = openSred(
        layout,
        hostKey(PUBLISHED_TEST_BDK, fromHex(ksn.data), layout.use),
        fromHex(data.slice(8)),
      );
      expect(opened).toMatchObject({ ok: true, card: { pan: "4761340000000050" } });
    }
    expect(await asks("get-object", "5F20")).toMatchObject({ rc: 0 });
    expect(await asks("get-object", "9F7A")).toMatchObject({ rc: -16 });
  });

  test("approves, declines, and is declined", async () => {
    const approved = await begun("visa-contact");
    await approved.asks("start", "000004D200000000");
    expect(await approved.asks("complete", "0000000000")).toEqual({ rc: 0, data: "01" });
    const declined = await begun("contact-declines-after-approval");
    await declined.asks("start", "000004D200000000");
    expect(await declined.asks("complete", "0000000000")).toEqual({ rc: -11, data: "00" });
    const denied = await begun("visa-contact");
    await denied.asks("start", "000004D200000000");
    expect(await denied.asks("complete", "0300000000")).toEqual({ rc: 0, data: "03" });
    expect(await denied.asks("complete", "0300000000")).toMatchObject({ rc: -30 });
  });

  test("that is pulled is an error of its step", async () => {
    const { terminal, asks } = await begun("visa-contact");
    terminal.removeCard();
    expect(await asks("start", "000004D200000000")).toMatchObject({ rc: -2 });
    const held = await begun("visa-contact");
    await held.asks("start", "000004D200000000");
    held.terminal.removeCard();
    expect(await held.asks("complete", "0000000000")).toMatchObject({ rc: -2 });
  });

  test.each([
    ["blocked-application", -5],
    ["fallback", -1],
  ])("%s is not selected", async (card, rc) => {
    const { terminal, asks } = device();
    terminal.present(card, "insert");
    expect(await asks("slot", "00")).toEqual({ rc: 0, data: "00" });
    expect(await asks("select", "0000000001")).toMatchObject({ rc });
  });

  test("with two applications has its host choose", async () => {
    const pad = device();
    pad.terminal.present("two-applications", "insert");
    await pad.asks("init");
    const said = await pad.sends(commandFrame("select", fromHex("0000000001")));
    expect(said.map((bytes) => bytes[0])).toEqual([ACK, 0x02]);
    const [question] = pad.frames();
    expect([question?.command, question?.sub, toHex(question?.data.subarray(0, 2) ?? new Uint8Array(0))]).toEqual([
      0xb0,
      0xb0,
      "0002",
    ]);
    pad.line.receive(Uint8Array.of(ACK));
    await pad.sends(callBackAnswer(0xb0, 1));
    expect(pad.frames().map(({ sub, data }) => [sub, wordIn(data)])).toEqual([[0x98, 0]]);
    pad.line.receive(Uint8Array.of(ACK));
    await pad.clock.advance(1);
    for (const [name] of CHIP.slice(3)) await pad.asks(name);
    await pad.asks("start", "000004D200000000");
    expect((await pad.asks("get-object", "9F06")).data).toContain("A0000000032020");
  });

  test("an amount that was set by its own command counts", async () => {
    const { asks } = await begun("visa-contact");
    expect(await asks("set-amount", "005000000000000000000000")).toMatchObject({ rc: 0 });
    await asks("start", "0000000000000000");
    expect(await asks("get-object", "9F02")).toEqual({ rc: 0, data: "00000006005000000000" });
  });

  test("a stripe is read while its reader is on, once", async () => {
    const { terminal, asks } = device();
    terminal.present("magstripe");
    expect(await asks("swiped")).toEqual({ rc: 0, data: "01" });
    await asks("stripe-on");
    expect(await asks("swiped")).toEqual({ rc: 0, data: "00" });
    const { data } = await asks("tracks");
    expect(data).toMatch(/^[0-9A-F]{2}/);
    expect(Number.parseInt(data.slice(0, 2), 16) % 8).toBe(0);
    expect(await asks("swiped")).toEqual({ rc: 0, data: "01" });
  });

  test("whose predecessor's key was left as it was waits until its counter is raised", async () => {
    const { asks } = await begun("visa-contact");
    await asks("start", "000004D200000000");
    const first = await asks("ksn", "01");
    await asks("complete", "0300000000");
    for (const [name, data] of CHIP) await asks(name, data);
    await asks("start", "000004D200000000");
    expect(await asks("get-object", "0057")).toMatchObject({ rc: -344 });
    await asks("next-ksn", "01");
    expect(await asks("get-object", "0057")).toMatchObject({ rc: -0x110000 });
    expect((await asks("ksn", "01")).data > first.data).toBe(true);
  });

  test("what makes no sense is refused", async () => {
    const { asks } = await begun("visa-contact");
    for (const [name, data] of [
      ["set-object", "5F2A0000"],
      ["set-amount", "AA"],
      ["start", "00"],
      ["start", "FFFFFFFF00000000"],
      ["complete", "0000000005"],
      ["set-clock", "99"],
    ] as const) {
      expect(await asks(name, data)).toMatchObject({ rc: -30 });
    }
    expect(await asks("ksn")).toMatchObject({ rc: -318 });
  });
});

describe("keys, clock and screen", () => {
  test("keys are kept until they are read or forgotten", async () => {
    const { terminal, asks } = device();
    terminal.press(["1", "CANCEL"]);
    expect(await asks("key-hit")).toEqual({ rc: 0, data: "00" });
    expect([
      (await asks("key", "00000064")).data,
      (await asks("key", "00000064")).data,
      (await asks("key", "00000064")).data,
    ]).toEqual(["31", "1B", "FF"]);
    terminal.press("2");
    await asks("flush-keys");
    expect(await asks("key-hit")).toEqual({ rc: 0, data: "01" });
  });

  test("the clock runs on from what it was set to", async () => {
    const { asks } = device();
    await asks("set-clock", "260704235959");
    expect((await asks("clock")).data).toMatch(/^260704235959|^2607050000/);
  });

  test("a text is shown without the screen's own commands, and asks for what it says", async () => {
    const { terminal, asks } = device();
    await asks("text", `${"15"}${toHex(new TextEncoder().encode("%P0000%F1INSERT\nCARD!"))}`);
    expect(terminal.screen()).toMatchObject({ lines: ["INSERT", "CARD!"], waitsFor: "card" });
    await asks("clear-screen");
    expect(terminal.screen().lines).toEqual([]);
  });
});
