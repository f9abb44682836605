import { describe, expect, test } from "vitest";
import { newCodec, read } from "../../../../drivers/idtech-vp3300/codec.ts";
import { encodeCommand, type Frame } from "../../../../drivers/idtech-vp3300/frame.ts";
import { type CommandName, frameOf, outcomeIn } from "../../../../drivers/idtech-vp3300/message.ts";
import { splitReports } from "../../../../drivers/idtech-vp3300/reports.ts";
import { idtechVp3300Simulator } from "../../../../drivers/idtech-vp3300/simulator.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { seededRandom } from "../../../../src/kit/seeded-random.ts";
import type { Attachment, LineKind, SimulatedTerminal } from "../../../../src/simulator/simulated-terminal.ts";
import { createVirtualClock, type VirtualClock } from "../../../support/virtual-clock.ts";
import { frameHex } from "./vectors.ts";

/** A host that says nothing by itself: a test sees every frame, in order, as "command status data". */
interface Host {
  readonly clock: VirtualClock;
  readonly terminal: SimulatedTerminal;
  raw(bytes: Uint8Array): void;
  ask(name: CommandName, data?: string, waitMs?: number): Promise<readonly string[]>;
  news(): readonly string[];
  attach(): void;
}

const shown = ({ command, code, data }: Frame): string =>
  `${toHex(Uint8Array.of(command, code))} ${toHex(data)}`.trim();

function host(line: LineKind = "serial", serialNumber?: string): Host {
  const clock = createVirtualClock(Date.UTC(2026, 0, 15, 10, 15, 0));
  const terminal = idtechVp3300Simulator.create({
    clock,
    random: seededRandom(1),
    automatic: undefined,
    ...(serialNumber !== undefined && { serialNumber }),
  });
  let heard: string[] = [];
  let attachment: Attachment | undefined;
  const attach = (): void => {
    let codec = newCodec(line);
    attachment = terminal.attach((chunk) => {
      if (line === "usb") expect(chunk).toHaveLength(64);
      for (const piece of line === "usb" ? splitReports(chunk) : [chunk]) {
        const next = read(codec, piece);
        codec = next.codec;
        heard.push(...next.heard.map(shown));
      }
    }, line);
  };
  attach();
  const news = (): readonly string[] => {
    const seen = heard;
    heard = [];
    return seen;
  };
  return {
    clock,
    terminal,
    news,
    attach,
    raw: (bytes) => attachment?.receive(bytes),
    ask: async (name, data = "", waitMs = 500) => {
      attachment?.receive(frameOf(name, fromHex(data)));
      await clock.advance(waitMs);
      return news();
    },
  };
}

const OBJECTS = "9C01009F02060000000012349F03060000000000005F2A020978";
const START = `000041${"0078"}${OBJECTS}`;
const ACTIVATE = `41${OBJECTS}DFEF370107`;
const resultsIn = (frames: readonly string[]): readonly (string | undefined)[] =>
  frames.map((frame) => outcomeIn(fromHex(frame.slice(5)))?.result);

describe("the simulated reader", () => {
  test("answers the recorded commands as recorded", async () => {
    const at = host("serial", "630Z000001");
    at.raw(fromHex(frameHex("ping_cmd")));
    at.raw(fromHex(frameHex("sn_cmd")));
    at.raw(fromHex(frameHex("cancel_cmd")));
    await at.clock.advance(50);
    expect(at.news()).toEqual(["1800", shown(frame(frameHex("sn_rsp"))), "0500"]);
  });

  test("says what it does not know, and what it does not do now", async () => {
    const at = host();
    at.raw(encodeCommand({ command: 0x2c, code: 0x01, data: new Uint8Array(0) }));
    await at.clock.advance(50);
    expect(at.news()).toEqual(["2C02"]);
    expect(await at.ask("start", START)).toEqual(["6063"]);
    expect(await at.ask("ping")).toEqual(["180B"]);
    expect(await at.ask("authenticate", "010078")).toEqual(["600B"]);
    expect(await at.ask("cancel")).toContain("0500");
    expect(await at.ask("complete", "018A023030")).toEqual(["600B"]);
    expect(await at.ask("start", "00")).toEqual(["6005"]);
    expect(await at.ask("activate", "3C9C0100")).toEqual(["0205"]);
  });

  test("runs a chip's transaction: selected, online, approved", async () => {
    const at = host();
    await at.ask("start", START);
    at.terminal.present("visa-contact");
    await at.clock.advance(200);
    expect(resultsIn(at.news())).toEqual(["0010"]);
    const [first, second = ""] = await at.ask("authenticate", "010078");
    expect(first).toBe("6063");
    const outcome = outcomeIn(fromHex(second.slice(5)));
    expect(outcome).toMatchObject({ captured: "chip", result: "0004" });
    expect(outcome?.leaves.filter(({ tag }) => tag === "57").map(({ form }) => form)).toEqual(["masked", "encrypted"]);
    const [more, last = ""] = await at.ask("complete", "018A023030");
    expect([more, outcomeIn(fromHex(last.slice(5)))?.result]).toEqual(["6063", "0002"]);
  });

  test("declines where the host was not reached, and tells of a card that was pulled", async () => {
    const at = host();
    for (const [data, pull, result] of [["00", false, "0003"] as const, ["018A023030", true, "3005"] as const]) {
      await at.ask("start", START);
      if (at.terminal.screen().slot.card === null) at.terminal.present("visa-contact");
      await at.clock.advance(200);
      await at.ask("authenticate", "010078");
      at.news();
      if (pull) at.terminal.removeCard();
      expect(resultsIn(await at.ask("complete", data)).at(-1)).toBe(result);
    }
  });

  test.each([
    ["blocked-application", "5023"],
    ["fallback", "0007"],
  ])("tells of %s by result %s", async (card, result) => {
    const at = host();
    await at.ask("start", START);
    at.terminal.present(card, "insert");
    await at.clock.advance(200);
    expect(resultsIn(at.news())).toEqual([result]);
  });

  test("asks its host for the application, and takes the line it names", async () => {
    const at = host();
    await at.ask("start", START);
    at.terminal.present("two-applications");
    await at.clock.advance(200);
    const [menu = ""] = at.news();
    expect(menu).toMatch(/^6101 01/);
    expect(menu).toContain(toHex(new TextEncoder().encode("V PAY")));
    const [selected = ""] = await at.ask("dialogue", "0102");
    expect(selected).toContain("4F07A0000000032020");
  });

  test("ends an activation by a tap, a swipe, a chip or its time", async () => {
    for (const [card, way, pattern] of [
      ["visa-contactless", "tap", /^0223 E100/],
      ["magstripe-contactless", "tap", /^0200 F100/],
      ["magstripe", "swipe", /^0200 C8DFEE23/],
      ["visa-contact", "insert", /^0200 C0DFEE25020010/],
    ] as const) {
      const at = host();
      await at.ask("activate", ACTIVATE);
      at.terminal.present(card, way);
      await at.clock.advance(200);
      expect(at.news()).toEqual([expect.stringMatching(pattern)]);
    }
    const at = host();
    expect(await at.ask("activate", ACTIVATE, 66_000)).toEqual(["0208"]);
  });

  test("asks a swiped chip card to its slot, and stops for a card in the slot where no chip is wanted", async () => {
    const at = host();
    await at.ask("activate", ACTIVATE);
    at.terminal.present("visa-contact", "swipe");
    await at.clock.advance(100);
    expect(at.news()).toEqual([expect.stringMatching(/^6101 03/)]);
    const other = host();
    await other.ask("activate", `41${OBJECTS}DFEF370102`);
    other.terminal.present("visa-contact", "insert");
    await other.clock.advance(100);
    expect(other.news()).toEqual(["0281"]);
  });

  test("tells of its slot once it was asked to", async () => {
    const at = host();
    at.terminal.present("visa-contact");
    await at.clock.advance(50);
    expect(at.news()).toEqual([]);
    expect(await at.ask("switch-notices", "01")).toEqual(["0100", "F200 01"]);
    at.terminal.removeCard();
    await at.clock.advance(50);
    expect(at.news()).toEqual(["F200 00"]);
  });

  test("speaks the same in reports, and says so when it has started anew", async () => {
    const at = host("usb");
    const whole = fromHex(`01${frameHex("fw_cmd")}`.padEnd(128, "0"));
    at.raw(whole);
    await at.clock.advance(50);
    expect(at.news()).toEqual([expect.stringMatching(/^2900 565033333030/)]);
    at.terminal.fault("reboot");
    await at.clock.advance(1000);
    at.attach();
    await at.clock.advance(50);
    expect(at.news()).toEqual([expect.stringMatching(/^1401/)]);
  });
});

function frame(hex: string): Frame {
  const [found] = read(newCodec("serial"), fromHex(hex)).heard;
  if (found === undefined) throw new Error("no frame");
  return found;
}
