import { describe, expect, test } from "vitest";
import { ACK, cutFrames, encodeFrame, FS, GS, NAK } from "../../../../drivers/ingenico-ipp350/frame.ts";
import { bytesIn, reportsOf, TO_DEVICE, TO_HOST } from "../../../../drivers/ingenico-ipp350/reports.ts";
import { ingenicoIpp350Simulator, ingenicoLane3000Simulator } from "../../../../drivers/ingenico-ipp350/simulator.ts";
import { deck } from "../../../../packages/sandbox/testbed/deck.ts";
import { ascii } from "../../../../src/kit/bytes.ts";
import { seededRandom } from "../../../../src/kit/seeded-random.ts";
import type {
  Attachment,
  LineKind,
  SimulatedTerminal,
  SimulatorModel,
} from "../../../../src/simulator/simulated-terminal.ts";
import { createVirtualClock, type VirtualClock } from "../../../support/virtual-clock.ts";
import { vectors } from "./vectors.ts";

/**
 * A host that says nothing by itself but acknowledgements: a test sees every body and every single byte, in order, "|"
 * for FS and "~" for GS.
 */
interface Host {
  readonly clock: VirtualClock;
  readonly terminal: SimulatedTerminal;
  raw(bytes: Uint8Array): void;
  ask(body: string, waitMs?: number): Promise<readonly string[]>;
  news(): readonly string[];
}

function host({ line = "tcp", acknowledges = true, model = ingenicoIpp350Simulator, serialNumber }: HostOn = {}): Host {
  const clock = createVirtualClock(Date.UTC(2026, 0, 15, 10, 15, 0));
  const terminal = model.create({
    clock,
    random: seededRandom(1),
    automatic: undefined,
    ...(serialNumber !== undefined && { serialNumber }),
  });
  let heard: string[] = [];
  let pending: Uint8Array = new Uint8Array(0);
  let waits = false;
  const packed = (bytes: Uint8Array): readonly Uint8Array[] => (line === "usb" ? reportsOf(TO_DEVICE, bytes) : [bytes]);
  const raw = (bytes: Uint8Array): void => {
    for (const one of packed(bytes)) attachment.receive(one);
  };
  const attachment: Attachment = terminal.attach((chunk) => {
    const cut = cutFrames(false)(pending, line === "usb" ? bytesIn(TO_HOST, chunk) : chunk);
    pending = cut.pending;
    for (const item of cut.items) {
      heard.push(item.is === "frame" ? ascii(item.body).replaceAll(FS, "|").replaceAll(GS, "~") : `<${item.is}>`);
      if (item.is !== "frame" || !acknowledges || waits) continue;
      waits = true;
      clock.after(1, () => {
        waits = false;
        raw(Uint8Array.of(ACK));
      });
    }
  }, line);
  const news = (): readonly string[] => {
    const seen = heard;
    heard = [];
    return seen;
  };
  return {
    clock,
    terminal,
    raw,
    news,
    ask: async (body, waitMs = 100) => {
      raw(encodeFrame(body.replaceAll("|", FS).replaceAll("~", GS)));
      await clock.advance(waitMs);
      return news().filter((one) => one !== "<ack>");
    },
  };
}

interface HostOn {
  readonly line?: LineKind;
  readonly acknowledges?: boolean;
  readonly model?: SimulatorModel;
  readonly serialNumber?: string;
}

/** 13. and 23., and a card in the slot whose data came. */
async function prepared(at: Host, card = "visa-contact"): Promise<readonly string[]> {
  await at.ask("13.1234~");
  await at.ask("23.3|||CMS");
  at.terminal.present(card);
  await at.clock.advance(100);
  const told = [...at.news().filter((one) => one !== "<ack>")];
  told.push(...(await at.ask("33.00.0000|||5000||")));
  told.push(...(await at.ask("04.1B000")));
  return told;
}

const heads = (bodies: readonly string[]): readonly string[] => bodies.map((body) => body.split("|")[0] ?? "");

describe("the simulated device's line", () => {
  test.each(["tcp", "serial", "usb"] as const)("over %s acknowledges a good frame and then answers", async (line) => {
    const at = host({ line });
    at.raw(encodeFrame("00.0000"));
    await at.clock.advance(50);
    expect(at.news()).toEqual(["<ack>", "00.0000"]);
  });

  test("asks for a spoiled frame again, and drops one that came twice", async () => {
    const at = host();
    at.raw(encodeFrame("13.1234").with(-1, 0x7e));
    at.raw(encodeFrame("13.0"));
    at.raw(encodeFrame("13.0"));
    await at.clock.advance(50);
    expect(at.news()).toEqual(["<nak>", "<ack>", "<ack>", "13.0"]);
  });

  test("says an answer again that nobody acknowledges, three times in all", async () => {
    const at = host({ acknowledges: false });
    expect(await at.ask("00.0000", 20_000)).toEqual(["00.0000", "00.0000", "00.0000"]);
    at.raw(Uint8Array.of(NAK, ACK));
    expect(await at.ask("13.5", 50)).toEqual(["13.0"]);
  });

  test("knows nothing of the last host", async () => {
    const at = host();
    at.terminal.fault("unplug");
    at.terminal.fault("plug");
    expect(at.news()).toEqual([]);
  });
});

describe("the simulated device", () => {
  test.each(["00.0000", "01.00000000", "13.0", "04.1B000"])("answers the published %s", async (body) => {
    expect(vectors.frames.map((frame) => frame.body)).toContain(body);
    const [answer] = await host().ask(body);
    expect(answer).toBe(
      { "00.0000": "00.0000", "01.00000000": "01.00000000", "13.0": "13.0", "04.1B000": "04.0B000" }[body],
    );
  });

  test("tells of itself what it is, and not what it has not", async () => {
    const at = host({ serialNumber: "ABC12345" });
    expect((await at.ask("07."))[0]?.split("|").slice(0, 3)).toEqual(["07.INGENICO", "iPP350", "ABC12345"]);
    expect(await at.ask("61.91~1~")).toEqual(["61.291~1~19|"]);
    expect(await at.ask("61.99~9~")).toEqual(["61.399~9~|"]);
    expect(await at.ask("29.00000398")).toEqual(["29.50000398"]);
    expect(await at.ask("29.00000500")).toEqual(["29.20000500"].map((head) => expect.stringContaining(head)));
    expect(await at.ask("95.")).toEqual([]);
    expect(await at.ask("nonsense")).toEqual([]);
  });

  test("has a clock that is set by its variables", async () => {
    const at = host();
    expect(await at.ask("29.00000202")).toEqual(["29.20000202011526"]);
    expect(await at.ask("28.10000201235900")).toEqual(["28.20000201"]);
    expect((await at.ask("29.00000201"))[0]).toMatch(/^29\.202?0?000201235\d\d\d|29\.20000201235900$/);
    expect(await at.ask("28.10000202020326")).toEqual(["28.20000202"]);
    expect(await at.ask("29.00000202")).toEqual(["29.20000202020326"]);
    expect(await at.ask("28.10000201999999")).toEqual(["28.30000201"]);
    expect(await at.ask("28.10000104Item")).toEqual(["28.20000104"]);
  });

  test("wants an amount before it reads over the air", async () => {
    const at = host();
    expect(await at.ask("23.3|||CMS")).toEqual(["23.A?"]);
    expect(await at.ask("13.x~")).toEqual(["13.1"]);
    expect(await at.ask("13.1234~")).toEqual(["13.0"]);
    expect(await at.ask("23.3|||CMS")).toEqual([]);
  });

  test("ends what is pending with a, upon 00. and upon another 23.", async () => {
    const at = host();
    await at.ask("13.1234~");
    await at.ask("23.3|||CMS");
    expect(await at.ask("23.3|||M")).toEqual(["23.a"]);
    expect(await at.ask("00.0000")).toEqual(["23.a", "00.0000"]);
    expect(await at.ask("00.0000")).toEqual(["00.0000"]);
  });

  test("refuses an EMV message that does not fit", async () => {
    const at = host();
    expect(await at.ask("33.00.0000|||5000||")).toEqual(["33.00.E000"]);
    expect(await at.ask("33.04.0000|T8A:0002:a00|")).toEqual(["33.04.E000"]);
    expect(await at.ask("31.D*1||pin.K3Z")).toEqual(["31.6"]);
  });

  test("runs a chip's transaction with the PIN typed inside it", async () => {
    const at = host();
    expect(heads(await prepared(at))).toEqual(["09.020201I", "23.0S", "33.00.0000", "33.02.0000", "04.0B000"]);
    expect(await at.ask("13.1234~")).toEqual(["13.0"]);
    expect(at.terminal.screen().waitsFor).toBe("pin");
    at.terminal.press(["1234", "ENTER"]);
    await at.clock.advance(200);
    const [request = ""] = at.news();
    expect(request).toMatch(/^33\.03\.0000\|/);
    expect(request).toMatch(/\|T9F27:0001:h80\|/);
    expect(request).toMatch(/\|T99:0024:a[0-9A-F]{36}\|/);
    expect(request).toMatch(/\|TFF1F:[0-9A-F]{4}:a1:2:[0-9A-F]+:FFFF98765432[0-9A-F]{8}\|/);
    const [final = ""] = await at.ask("33.04.0000|T8A:0002:a00|", 300);
    expect(final).toMatch(/^33\.05\.0000\|.*\|T9F27:0001:h40\|.*\|T1003:0001:aA\|/);
  });

  test("has another member whose host asks for the PIN, and hands it out once", async () => {
    const at = host({ model: ingenicoLane3000Simulator });
    await prepared(at);
    const [, request = ""] = await at.ask("13.1234~", 300);
    expect(request).toMatch(/\|T9F34:0003:h420300\|/);
    expect(request).not.toMatch(/T99:/);
    expect(await at.ask("31.D*1||pin.K3Z")).toEqual([]);
    at.terminal.press(["1234", "ENTER"]);
    await at.clock.advance(50);
    expect(at.news()).toEqual([expect.stringMatching(/^31\.0[0-9A-F]{36}$/)]);
    await at.ask("31.D*1||pin.K3Z");
    expect(await at.ask("00.0000")).toEqual(["31.a", "00.0000"]);
  });

  test("tells how a card failed", async () => {
    const at = host();
    const broken = await prepared(at, "fallback");
    expect(broken.at(-2)).toBe("33.05.0000|T1003:0001:aE|T1010:0004:aCDIV|");
    at.terminal.removeCard();
    const pulled = host();
    await prepared(pulled);
    pulled.terminal.removeCard();
    await pulled.clock.advance(50);
    expect(pulled.news().filter((one) => one !== "<ack>")).toEqual([
      "09.020201R",
      "33.05.0000|T1003:0001:aE|T1010:0005:aCRPRE|",
    ]);
  });

  test("shows a form, and answers it at once", async () => {
    const at = host();
    expect(await at.ask("24.msg.K3Z|Tprompt1,Please remove card")).toEqual(["24.0\u001f"]);
    expect(at.terminal.screen().lines).toEqual(["Please remove card"]);
  });

  test("starts anew upon 97.", async () => {
    const at = host();
    await at.ask("97.");
    expect(at.terminal.plugged()).toBe(false);
    await at.clock.advance(1000);
    expect(at.terminal.plugged()).toBe(true);
  });

  /** Some numbers have nothing to hide in their middle. */
  const hidden = deck.filter(({ presents, pan }) => presents !== "key" && /[1-9]/.test(pan.slice(6, -4)));
  test.each(hidden)(
    "never says the number of $name, but for its first six and last four digits",
    async ({ name, pan }) => {
      const at = host({ model: ingenicoLane3000Simulator });
      await at.ask("13.1234~");
      await at.ask("23.3|||CMS");
      at.terminal.present(name);
      await at.clock.advance(200);
      const all = [
        ...at.news(),
        ...(await at.ask("33.00.0000|||5000||", 300)),
        ...(await at.ask("04.1B000")),
        ...(await at.ask("13.1234~", 300)),
      ];
      all.push(...(await at.ask("33.04.0000|T8A:0002:a00|", 300)));
      expect(all.length).toBeGreaterThan(2);
      expect(all.join("\n")).not.toContain(pan.slice(0, -1));
    },
  );
});
