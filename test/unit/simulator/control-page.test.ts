import { request } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { driverModels } from "../../../drivers/index.ts";
import { simulators } from "../../../drivers/simulators.ts";
import { cardNamed } from "../../../packages/sandbox/testbed/deck.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { type ControlServer, serveControl } from "../../../src/simulator/control.ts";
import type { SimulatedTerminal, SimulatorModel } from "../../../src/simulator/simulated-terminal.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";

const PAGE = "http://127.0.0.1:7717";

interface Bench {
  readonly terminal: SimulatedTerminal;
  readonly server: ControlServer;
  readonly clock: VirtualClock;
}

async function bench(id = "miura-m020", card?: string): Promise<Bench> {
  const model = modelNamed(id);
  const clock = createVirtualClock(0);
  const terminal = model.create({
    clock,
    random: seededRandom(1),
    automatic: card === undefined ? undefined : { card },
  });
  const wire = driverModels.find((driver) => driver.id === model.driver)?.wire;
  const server = await serveControl(terminal, 0, { model, origins: () => [PAGE], clock, ...(wire && { wire }) });
  onTestFinished(() => server.close());
  return { terminal, server, clock };
}

function modelNamed(id: string): SimulatorModel {
  const model = simulators.find((each) => each.id === id);
  if (model === undefined) throw new Error(`no simulator is called ${id}`);
  return model;
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** node:http, because fetch does not let a test choose its Origin. */
function ask(
  { port }: ControlServer,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const call = request({ host: "127.0.0.1", port, method, path, headers: { ...type, ...headers } }, (response) => {
    let text = "";
    response.on("data", (part) => {
      text += String(part);
    });
    response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
  });
  call.on("error", reject);
  call.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}

/** The events of the stream, as they come. */
async function listen(server: ControlServer): Promise<{ until(found: (text: string) => boolean): Promise<string> }> {
  const response = await fetch(`${server.url}events`);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) throw new Error("the stream has no body");
  let text = "";
  return {
    until: async (found) => {
      while (!found(text)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`the stream ended:\n${text}`);
        text += value;
      }
      const all = text;
      text = "";
      return all;
    },
  };
}

describe("a page of the demo", () => {
  test("reads what it asks for, and its browser is told that it may call", async () => {
    const { server } = await bench();
    const screen = await ask(server, "GET", "/screen", { origin: PAGE });
    expect(screen).toMatchObject({ status: 200, headers: { "access-control-allow-origin": PAGE, vary: "origin" } });
    const asked = await ask(server, "OPTIONS", "/card", { origin: PAGE, "access-control-request-method": "POST" });
    expect(asked).toMatchObject({
      status: 204,
      headers: { "access-control-allow-origin": PAGE, "access-control-allow-headers": "content-type" },
    });
    expect((await ask(server, "POST", "/card", { origin: PAGE }, { name: "visa-contact" })).status).toBe(200);
  });

  test.each(["http://evil.example", "http://127.0.0.1:7718", "https://127.0.0.1:7717", "null"])(
    "of the origin %s gets nothing",
    async (origin) => {
      const { server, terminal } = await bench();
      const tries = [
        ask(server, "OPTIONS", "/card", { origin }),
        ask(server, "GET", "/events", { origin }),
        ask(server, "POST", "/card", { origin }, { name: "visa-contact" }),
      ];
      for (const { status, headers } of await Promise.all(tries)) {
        expect(status).toBe(403);
        expect(headers).not.toHaveProperty("access-control-allow-origin");
      }
      expect(terminal.screen().slot.card).toBeNull();
    },
  );
});

describe("GET model", () => {
  const shapeSchema = z.object({
    id: z.string(),
    title: z.string(),
    serialNumber: z.string(),
    shape: z.record(z.string(), z.union([z.boolean(), z.string()])),
  });

  test.each([
    ["miura-m020", { display: true, keys: true, slot: true, stripe: true, contactless: true }],
    ["verifone-ux300", { display: true, keys: true, slot: true, stripe: true, contactless: false }],
    ["idtech-vp3300", { display: false, keys: false, slot: true, stripe: true, contactless: true }],
    ["idtech-vp8800", { display: true, keys: true, slot: true, stripe: true, contactless: true }],
    ["idtech-kiosk", { display: false, keys: false, slot: false, stripe: false, contactless: true }],
    ["magtek-dynaprox", { display: false, keys: false, slot: false, stripe: false, contactless: true }],
    ["pax-d180", { display: true, keys: true, slot: true, stripe: true, contactless: false }],
  ])("tells the parts of a %s", async (id, parts) => {
    const { server } = await bench(id);
    const model = shapeSchema.parse(JSON.parse((await ask(server, "GET", "/model")).text));
    expect(model).toMatchObject({ id, shape: parts });
  });
});

describe("GET deck", () => {
  const deckSchema = z.object({
    cards: z.array(
      z.looseObject({
        name: z.string(),
        title: z.string(),
        group: z.string(),
        ways: z.array(z.string()),
        pin: z.string().optional(),
        last4: z.string(),
      }),
    ),
  });

  test("tells of each card how it can be presented, and its PIN where a terminal may ask for it", async () => {
    const { server } = await bench();
    const { cards } = deckSchema.parse(JSON.parse((await ask(server, "GET", "/deck")).text));
    const of = (name: string) => cards.find((card) => card.name === name);
    expect(of("visa-contact")).toMatchObject({
      group: "chip",
      ways: ["insert", "swipe", "key"],
      pin: "1234",
      last4: "0050",
    });
    expect(of("visa-contactless")).toMatchObject({
      group: "tap",
      ways: ["tap", "insert", "swipe", "key"],
      pin: "1234",
    });
    expect(of("visa-phone")).toMatchObject({ group: "phone", ways: ["tap"] });
    expect(of("visa-phone")).not.toHaveProperty("pin");
    expect(of("signature-only")).not.toHaveProperty("pin");
    expect(of("magstripe")).not.toHaveProperty("pin");
    expect(of("magstripe-pin")).toMatchObject({ group: "stripe", ways: ["swipe", "key"], pin: "1234" });
    expect(of("manual")).toMatchObject({ group: "typed", typed: { number: "4761739001010705", expiry: "1231" } });
    for (const name of ["attacker", "fallback", "wrong-pin-once", "wrong-arpc", "contactless-wants-slot"])
      expect(of(name), name).toMatchObject({ group: "odd" });
  });

  test("every way that it names is one that the terminal takes", async () => {
    const { server, terminal } = await bench();
    const { cards } = deckSchema.parse(JSON.parse((await ask(server, "GET", "/deck")).text));
    for (const { name, ways } of cards) {
      for (const way of ways.filter((each) => each !== "key")) {
        expect((await ask(server, "POST", "/card", {}, { name, way })).status, `${name} ${way}`).toBe(200);
        terminal.removeCard();
      }
      expect(cardNamed(name)?.pan.endsWith(cards.find((card) => card.name === name)?.last4 ?? "?")).toBe(true);
    }
  });
});

describe("GET events", () => {
  test("tells the screen as it is, and again whenever a person would see something else", async () => {
    const { server, terminal } = await bench();
    const stream = await listen(server);
    expect(await stream.until((text) => text.includes("event: screen"))).toContain('"lines":["Ready"]');
    terminal.present("visa-contact");
    expect(await stream.until((text) => text.includes("visa-contact"))).toContain('"slot":{"card":"visa-contact"}');
    terminal.fault("unplug");
    await stream.until((text) => text.includes('"plugged":false'));
    terminal.fault("hang");
    await stream.until((text) => text.includes('"hung":true'));
  });

  test("tells the line in the words of the driver, to those who come later too", async () => {
    const { server, terminal, clock } = await bench();
    const host = terminal.attach(() => undefined);
    // GET DEVICE INFO-like: RESET DEVICE, class D0, instruction 00, in a frame of its own (PROTOCOL.md 2).
    host.receive(Uint8Array.of(0x01, 0x00, 0x05, 0xd0, 0x00, 0x00, 0x00, 0x00, 0xd4));
    await clock.advance(1_000);
    const text = await (await listen(server)).until((told) => told.includes('"direction":"received"'));
    expect(text).toMatch(/"direction":"link","name":"link opened"/);
    expect(text).toMatch(/"direction":"sent","name":"[a-z ]+"/i);
    expect(text).not.toContain("unknown command");
  });

  test("a window too many is told so", async () => {
    const { server } = await bench();
    for (let n = 0; n < 16; n += 1) await listen(server);
    expect((await ask(server, "GET", "/events")).status).toBe(503);
  });
});

describe("the customer", () => {
  test("acts by himself until he is told not to", async () => {
    const { server } = await bench("miura-m020", "visa-contact");
    const customer = async (body: object): Promise<unknown> =>
      JSON.parse((await ask(server, "POST", "/customer", {}, body)).text);
    expect(await customer({ acts: false })).toMatchObject({ customer: { acts: false, card: "visa-contact" } });
    expect(await customer({ acts: true, card: "magstripe" })).toMatchObject({
      customer: { acts: true, card: "magstripe" },
    });
  });

  test("is named with a card or with what he does, or not at all", async () => {
    const { server } = await bench("miura-m020", "visa-contact");
    expect(await ask(server, "POST", "/customer", {}, {})).toMatchObject({ status: 400 });
    expect(await ask(server, "POST", "/customer", {}, { acts: "yes" })).toMatchObject({ status: 400 });
    expect(await ask((await bench()).server, "POST", "/customer", {}, { acts: false })).toMatchObject({ status: 409 });
  });
});
