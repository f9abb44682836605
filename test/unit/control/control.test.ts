import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ControlFailed, controlAddress } from "../../../src/control/address.ts";
import { askDaemon } from "../../../src/control/client.ts";
import { lineOf, MAX_LINE_BYTES } from "../../../src/control/lines.ts";
import { type ControlHandlers, ping, tokensCreate, tokensList, tokensRevoke } from "../../../src/control/methods.ts";
import { helloOf, introduced } from "../../../src/control/proof.ts";
import { readSecret } from "../../../src/control/secret-file.ts";
import { serveControl } from "../../../src/control/server.ts";
import { tokenHandlers } from "../../../src/control/tokens.ts";
import type { Clock } from "../../../src/kit/clock.ts";
import { Secret } from "../../../src/kit/secret.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { refusingHandlers } from "../../support/refusing-handlers.ts";

function folder(): string {
  const made = fs.mkdtempSync(path.join(tmpdir(), "posbridge-control-"));
  onTestFinished(() => fs.rmSync(made, { recursive: true }));
  return made;
}

/** Timers that the test runs itself. */
function handClock() {
  const timers = new Set<() => void>();
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    after: (_, run) => {
      timers.add(run);
      return () => timers.delete(run);
    },
  };
  return { clock, timers };
}

const ENTRY = { register: "till-1", scopes: ["payments"], createdAt: "2026-02-03T04:05:06.789Z" };

const handlers: ControlHandlers = {
  ...refusingHandlers,
  ping: async () => ({ ok: true, value: { bridge: "brg_1", version: "0.1.0", pid: 42 } }),
  ...tokenHandlers(
    {
      create: ({ register }) =>
        register === ""
          ? { ok: false, message: "register: too short" }
          : { ok: true, value: { ...ENTRY, register, token: new Secret("pbt_x") } },
      list: () => [ENTRY, { ...ENTRY, lastUsedAt: ENTRY.createdAt }],
      revoke: (register) => {
        if (register === "broken") throw new Error("the secret detail");
        if (register === "full") throw new RangeError("the disk is full; make room");
        return { ok: true, value: { revoked: 2 } };
      },
      revokeDamaged: () => ({ ok: true, value: { revoked: 1 } }),
    },
    (thrown) => (thrown instanceof RangeError ? thrown.message : undefined),
  ),
  "payments.resolve": async () => ({ ok: false, message: "nothing to close" }),
  "rollbacks.confirm": async () => ({ ok: false, message: "nothing to close" }),
  "bridge.supportBundle": async () => ({ ok: false, message: "nothing to tell" }),
};

async function serve(dataDir: string, clock: Clock = systemClock) {
  const problems: string[] = [];
  const server = await serveControl({
    dataDir,
    clock,
    handlers,
    problem: (error, where) => problems.push(`${where}: ${String(error)}`),
  });
  onTestFinished(() => server.close());
  return { ...server, problems };
}

const NONCE = "0".repeat(64);

/** A connection that has proved itself, as a command of this version does. */
async function proven(dataDir: string): Promise<net.Socket> {
  const socket = net.connect(controlAddress(dataDir));
  socket.write(lineOf(helloOf(NONCE)));
  const [line] = await once(socket, "data");
  const introduction = introduced(readSecret(dataDir), NONCE, String(line));
  if (introduction.is !== "proven") throw new Error(`the daemon is ${introduction.is}`);
  socket.write(lineOf(introduction.message));
  return socket;
}

/** Sends text and gives all that comes back until the other side ends. */
async function talk(dataDir: string, text: string, lines: number): Promise<readonly string[]> {
  const socket = await proven(dataDir);
  let heard = "";
  const done = new Promise<void>((resolve) => {
    socket.on("data", (chunk) => {
      heard += chunk.toString();
      if (heard.split("\n").length > lines) socket.destroy();
    });
    socket.on("error", () => resolve());
    socket.on("close", () => resolve());
  });
  socket.write(text);
  await done;
  return heard.split("\n").slice(0, -1);
}

describe("a command and the daemon of a folder", () => {
  it("talk through control.sock, which only its owner may use", async () => {
    const dataDir = folder();
    await serve(dataDir);
    const on = { dataDir, clock: systemClock };
    expect(await askDaemon(on, ping, {})).toEqual({
      is: "answered",
      reply: { ok: true, value: { bridge: "brg_1", version: "0.1.0", pid: 42 } },
    });
    expect(await askDaemon(on, tokensCreate, { register: "till-9", scopes: [], by: "root" })).toEqual({
      is: "answered",
      reply: { ok: true, value: { ...ENTRY, register: "till-9", token: "pbt_x" } },
    });
    expect(await askDaemon(on, tokensList, {})).toMatchObject({
      reply: { value: { tokens: [ENTRY, { ...ENTRY, lastUsedAt: ENTRY.createdAt }] } },
    });
    expect(await askDaemon(on, tokensRevoke, { register: "till-1", by: "root" })).toMatchObject({
      reply: { value: { revoked: 2 } },
    });
    expect(fs.statSync(path.join(dataDir, "control.sock")).mode & 0o777).toBe(0o600);
  });

  it("a refusal comes back as its one line", async () => {
    const dataDir = folder();
    await serve(dataDir);
    expect(
      await askDaemon({ dataDir, clock: systemClock }, tokensCreate, { register: "", scopes: [], by: "root" }),
    ).toEqual({
      is: "answered",
      reply: { ok: false, message: "register: too short" },
    });
  });

  it("a fault of the daemon goes to its log, and the command is told where to look, or what a person can mend, and no more", async () => {
    const dataDir = folder();
    const { problems } = await serve(dataDir);
    const asked = askDaemon({ dataDir, clock: systemClock }, tokensRevoke, { register: "broken", by: "root" });
    await expect(asked).rejects.toThrow(new ControlFailed("tokens.revoke failed in the daemon; its log says why"));
    expect(problems).toEqual(["control tokens.revoke: Error: the secret detail"]);
    const full = askDaemon({ dataDir, clock: systemClock }, tokensRevoke, { register: "full", by: "root" });
    await expect(full).rejects.toThrow(new ControlFailed("the disk is full; make room"));
    expect(problems).toHaveLength(2);
  });

  it("many commands at once each get their own answer", async () => {
    const dataDir = folder();
    await serve(dataDir);
    const names = Array.from({ length: 20 }, (_, n) => `till-${n}`);
    const replies = await Promise.all(
      names.map((register) =>
        askDaemon({ dataDir, clock: systemClock }, tokensCreate, { register, scopes: [], by: "root" }),
      ),
    );
    expect(replies).toMatchObject(names.map((register) => ({ reply: { value: { register } } })));
  });
});

describe("what is no request gets one clear error and changes nothing", () => {
  it.each([
    ["not JSON", "hello", "not a request: { id, method, params }"],
    ["another shape", '{"id":1}', "not a request: { id, method, params }"],
    ["an unknown member", '{"id":1,"method":"ping","params":{},"more":1}', "not a request: { id, method, params }"],
    ["an unknown method", '{"id":1,"method":"sell","params":{}}', 'this daemon knows no method "sell"'],
    ["a method of Object", '{"id":1,"method":"constructor","params":{}}', 'this daemon knows no method "constructor"'],
    ["a wrong type", '{"id":1,"method":"tokens.create","params":{"register":7,"scopes":[]}}', "at register"],
    ["an unknown parameter", '{"id":1,"method":"ping","params":{"a":1}}', 'Unrecognized key: "a"'],
  ])("%s", async (_, line, words) => {
    const dataDir = folder();
    await serve(dataDir);
    const [reply = ""] = await talk(dataDir, `${line}\n`, 1);
    expect(JSON.parse(reply)).toMatchObject({
      error: { code: "bad-request", message: expect.stringContaining(words) },
    });
  });

  it("a line without an end closes the connection, and the next command is served", async () => {
    const dataDir = folder();
    await serve(dataDir);
    expect(await talk(dataDir, "x".repeat(MAX_LINE_BYTES + 2), 1)).toEqual([]);
    expect((await askDaemon({ dataDir, clock: systemClock }, ping, {})).is).toBe("answered");
  });

  it("several requests on one connection are answered in their order", async () => {
    const dataDir = folder();
    await serve(dataDir);
    const requests = [1, 2, 3].map((id) => `${JSON.stringify({ id, method: "ping", params: {} })}\n`).join("");
    expect((await talk(dataDir, requests, 3)).map((line): unknown => JSON.parse(line))).toMatchObject([
      { id: 1 },
      { id: 2 },
      { id: 3 },
    ]);
  });

  it("a connection that waits for a slow answer is not closed for saying nothing, and is afterwards", async () => {
    const dataDir = folder();
    const { clock, timers } = handClock();
    const slow = Promise.withResolvers<Awaited<ReturnType<ControlHandlers["payments.resolve"]>>>();
    const server = await serveControl({
      dataDir,
      clock,
      problem: () => undefined,
      handlers: { ...handlers, "payments.resolve": () => slow.promise },
    });
    onTestFinished(() => server.close());
    const socket = await proven(dataDir);
    while (timers.size === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    socket.write(
      `${JSON.stringify({ id: 1, method: "payments.resolve", params: { reference: "a", as: "reversed", reason: "b", by: "c" } })}\n`,
    );
    while (timers.size > 0) await new Promise<void>((resolve) => setImmediate(resolve));
    slow.resolve({ ok: false, message: "took long" });
    const [answer] = await once(socket, "data");
    expect(String(answer)).toContain("took long");
    expect(timers.size).toBe(1);
    socket.destroy();
  });

  it("a connection that says nothing is closed", async () => {
    const dataDir = folder();
    const { clock, timers } = handClock();
    await serve(dataDir, clock);
    const socket = await proven(dataDir);
    socket.write('{"id":1,"method":"ping","params":{}}\n');
    await once(socket, "data");
    expect(timers.size).toBe(1);
    const closed = once(socket, "close");
    for (const run of timers) run();
    await closed;
  });
});

describe("without a daemon", () => {
  it("there is none in a folder without a socket", async () => {
    expect(await askDaemon({ dataDir: folder(), clock: systemClock }, ping, {})).toEqual({ is: "no-daemon" });
  });

  it("there is none behind the socket of a daemon that was killed, and the next daemon takes its place", async () => {
    const dataDir = folder();
    const address = controlAddress(dataDir);
    const child = spawn(process.execPath, [
      "-e",
      `require("net").createServer().listen(${JSON.stringify(address)}, () => console.log("up"))`,
    ]);
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "close");
    expect(fs.existsSync(address)).toBe(true);
    expect(await askDaemon({ dataDir, clock: systemClock }, ping, {})).toEqual({ is: "no-daemon" });
    const server = await serve(dataDir);
    expect((await askDaemon({ dataDir, clock: systemClock }, ping, {})).is).toBe("answered");
    await server.close();
    expect(fs.existsSync(address)).toBe(false);
    expect(await askDaemon({ dataDir, clock: systemClock }, ping, {})).toEqual({ is: "no-daemon" });
  });

  it("a file in the way is left alone and named", async () => {
    const dataDir = folder();
    fs.writeFileSync(controlAddress(dataDir), "something of somebody's");
    await expect(serve(dataDir)).rejects.toThrow(
      `${dataDir}/control.sock is in the way and is not a socket; move it away`,
    );
    expect(fs.readFileSync(controlAddress(dataDir), "utf8")).toBe("something of somebody's");
  });

  it("a path too long for a socket is refused with its length, and the longest that fits is used", async () => {
    const dataDir = folder();
    const room =
      (process.platform === "darwin" ? 103 : 107) - Buffer.byteLength(path.join(dataDir, "x", "control.sock")) + 1;
    const fits = path.join(dataDir, "d".repeat(room));
    fs.mkdirSync(fits);
    await serve(fits);
    expect((await askDaemon({ dataDir: fits, clock: systemClock }, ping, {})).is).toBe("answered");
    const long = `${fits}d`;
    fs.mkdirSync(long);
    await expect(serve(long)).rejects.toThrow(
      /control\.sock has 108 bytes and a socket takes 107; use a dataDir with a shorter path$/,
    );
    await expect(askDaemon({ dataDir: long, clock: systemClock }, ping, {})).rejects.toThrow(ControlFailed);
  });
});

describe("something else listens on the socket", () => {
  /** A server that answers every connection with the text and ends it, or keeps silent. */
  async function impostor(dataDir: string, says: string | undefined) {
    const server = net.createServer((socket) => {
      socket.on("error", () => socket.destroy());
      socket.once("data", () => {
        if (says !== undefined) socket.end(says);
      });
    });
    server.listen(controlAddress(dataDir));
    await once(server, "listening");
    onTestFinished(() => void server.close());
  }

  it.each([
    ["nothing", "", "closed the connection without an answer"],
    ["no JSON", "hello\n", "gave no usable answer; is it of the same version as this command?"],
    ["another shape", '{"ok":true}\n', "gave no usable answer"],
    ["another result", '{"id":1,"result":{"pong":true}}\n', "gave no usable answer"],
    ["a line without an end", "x".repeat(MAX_LINE_BYTES + 1), "sent a line without an end"],
  ])("that says %s: the command does not go on as if there were no daemon", async (_, says, words) => {
    const dataDir = folder();
    await impostor(dataDir, says);
    const asked = askDaemon({ dataDir, clock: systemClock }, ping, {});
    await expect(asked).rejects.toThrow(ControlFailed);
    await expect(asked).rejects.toThrow(words);
  });

  it("that never answers: the command ends after its time", async () => {
    const dataDir = folder();
    await impostor(dataDir, undefined);
    const { clock, timers } = handClock();
    const asked = askDaemon({ dataDir, clock }, ping, {});
    asked.catch(() => undefined);
    while (timers.size === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    for (const run of timers) run();
    await expect(asked).rejects.toThrow("did not answer within 10 s; see its log");
  });
});
