import { request } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { miuraM020Simulator } from "../../../drivers/miura-m020/simulator.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { type ControlServer, serveControl } from "../../../src/simulator/control.ts";
import type { SimulatedTerminal } from "../../../src/simulator/simulated-terminal.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

async function control(
  card?: string,
): Promise<{ readonly terminal: SimulatedTerminal; readonly server: ControlServer }> {
  const terminal = miuraM020Simulator.create({
    clock: createVirtualClock(0),
    random: seededRandom(1),
    automatic: card === undefined ? undefined : { card },
  });
  const server = await serveControl(terminal, 0, { model: miuraM020Simulator });
  onTestFinished(() => server.close());
  return { terminal, server };
}

const replySchema = z.looseObject({
  error: z.string().optional(),
  slot: z.object({ card: z.string().nullable() }).optional(),
  plugged: z.boolean().optional(),
});
interface Sent {
  readonly status: number | undefined;
  readonly body: z.infer<typeof replySchema>;
}

/** node:http, because fetch does not let a test choose Host and Origin. */
function send(
  server: ControlServer,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Sent> {
  const { promise, resolve, reject } = Promise.withResolvers<Sent>();
  const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
  const type = text === undefined ? {} : { "content-type": "application/json" };
  const call = request(
    { host: "127.0.0.1", port: server.port, method, path, headers: { ...type, ...headers } },
    (response) => {
      let got = "";
      response.on("data", (part) => {
        got += String(part);
      });
      response.on("end", () => resolve({ status: response.statusCode, body: replySchema.parse(JSON.parse(got)) }));
    },
  );
  call.on("error", reject);
  call.end(text);
  return promise;
}

describe("the calls", () => {
  test("present and pull a card, press keys, look at the screen", async () => {
    const { server, terminal } = await control();
    expect(await send(server, "POST", "/card", { name: "visa-contact" })).toMatchObject({
      status: 200,
      body: { slot: { card: "visa-contact" } },
    });
    expect(terminal.screen().slot.card).toBe("visa-contact");
    expect(await send(server, "GET", "/screen")).toMatchObject({
      status: 200,
      body: { lines: ["Ready"], lights: { power: true, card: true }, waitsFor: null },
    });
    expect(await send(server, "DELETE", "/card")).toMatchObject({ status: 200, body: { slot: { card: null } } });
    expect((await send(server, "POST", "/keys", { keys: "1234" })).status).toBe(200);
    expect((await send(server, "POST", "/keys", { keys: ["1", "2", "ENTER"] })).status).toBe(200);
  });

  test("a card is presented in the way that is said, and taken away again", async () => {
    const { server, terminal } = await control();
    expect((await send(server, "POST", "/card", { name: "visa-contactless" })).status).toBe(200);
    expect(terminal.screen()).toMatchObject({ slot: { card: null }, reader: { card: "visa-contactless" } });
    expect((await send(server, "DELETE", "/card")).status).toBe(200);
    expect(terminal.screen().reader.card).toBeNull();
    expect(await send(server, "POST", "/card", { name: "visa-contactless", way: "insert" })).toMatchObject({
      body: { slot: { card: "visa-contactless" } },
    });
  });

  test("the automatic customer takes another card out of his pocket", async () => {
    const { server, terminal } = await control("visa-contact");
    expect((await send(server, "POST", "/customer", { card: "magstripe" })).status).toBe(200);
    expect((await send(server, "POST", "/customer", { card: "joker" })).status).toBe(409);
    const nobody = await control();
    expect(await send(nobody.server, "POST", "/customer", { card: "magstripe" })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("nobody") },
    });
    expect(terminal.screen().waitsFor).toBeNull();
  });

  test("faults are ordered", async () => {
    const { server, terminal } = await control();
    expect(await send(server, "POST", "/faults", { do: "unplug" })).toMatchObject({
      status: 200,
      body: { plugged: false },
    });
    expect(terminal.plugged()).toBe(false);
    expect(await send(server, "POST", "/faults", { do: "plug", after: 0 })).toMatchObject({
      status: 200,
      body: { plugged: true },
    });
  });

  test("what a person cannot do is said, and changes nothing", async () => {
    const { server } = await control();
    expect(await send(server, "DELETE", "/card")).toEqual({ status: 409, body: { error: "no card is in the slot" } });
    expect(await send(server, "POST", "/card", { name: "joker" })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("choose one of visa-contact") },
    });
    expect(await send(server, "POST", "/keys", { keys: "12A4" })).toMatchObject({
      status: 409,
      body: { error: "keys must be digits, ENTER, CANCEL or CLEAR" },
    });
  });
});

describe("bad bodies are refused with the field", () => {
  test.each([
    ["/card", {}, "name"],
    ["/card", { name: "visa-contact", pin: "1234" }, "pin"],
    ["/card", { name: "visa-contact", way: "throw" }, "way"],
    ["/customer", { name: "visa-contact" }, "card"],
    ["/keys", { keys: 1234 }, "keys"],
    ["/keys", { keys: "1".repeat(65) }, "keys"],
    ["/faults", { do: "explode" }, "do"],
    ["/faults", { do: "slow", after: -1 }, "after"],
    ["/faults", { do: "slow", after: 10_001 }, "after"],
    ["/faults", "{", "body"],
  ])("%s %j", async (path, body, field) => {
    const { server } = await control();
    const sent = await send(server, "POST", path, body);
    expect(sent.status).toBe(400);
    expect(sent.body.error).toContain(field);
  });

  test("a body that is too long is refused", async () => {
    const { server } = await control();
    expect((await send(server, "POST", "/keys", { keys: "1".repeat(5000) })).status).toBe(413);
  });

  test("only JSON is read, said by its content type", async () => {
    const { server } = await control();
    expect(
      (await send(server, "POST", "/card", { name: "visa-contact" }, { "content-type": "text/plain" })).status,
    ).toBe(415);
    expect(
      (
        await send(
          server,
          "POST",
          "/card",
          { name: "visa-contact" },
          { "content-type": "application/json; charset=utf-8" },
        )
      ).status,
    ).toBe(200);
  });

  test("an unknown call names those there are", async () => {
    const { server } = await control();
    expect(await send(server, "GET", "/card")).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining("POST card, DELETE card") },
    });
  });
});

describe("only this machine's own programs may call", () => {
  test.each([
    [{ host: "evil.example" }, 421],
    [{ host: "127.0.0.1:1" }, 421],
    [{ host: "127.0.0.1.evil.example:80" }, 421],
    [{ origin: "http://evil.example" }, 403],
    [{ origin: "null" }, 403],
  ])("%j is refused", async (headers, status) => {
    const { server, terminal } = await control();
    expect((await send(server, "POST", "/card", { name: "visa-contact" }, headers)).status).toBe(status);
    expect(terminal.screen().slot.card).toBeNull();
  });

  test("a loopback name with the port, and a page of its own, pass", async () => {
    const { server } = await control();
    expect((await send(server, "GET", "/screen", undefined, { host: `LOCALHOST:${server.port}` })).status).toBe(200);
    expect(
      (await send(server, "GET", "/screen", undefined, { origin: `http://127.0.0.1:${server.port}` })).status,
    ).toBe(200);
  });
});

test("a port that is in use is an error with its code", async () => {
  const { terminal, server } = await control();
  await expect(serveControl(terminal, server.port, { model: miuraM020Simulator })).rejects.toMatchObject({
    code: "EADDRINUSE",
  });
});
