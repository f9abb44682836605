import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { startBridge } from "./bridge.ts";
import { opened, sale, talk } from "./talk.ts";

/* What an audit is told of registers and of those who are none. */

const FROM = "127.0.0.1:50000";

describe("of a socket is told", () => {
  it("the session that it opened, by whom and with which program", async () => {
    const socket = talk();
    await socket.call("session.open", { token: "till-token", client: { name: "shop", version: "1.2" } });
    expect(socket.events).toContainEqual({
      on: "session-opened",
      from: FROM,
      register: "till",
      scopes: expect.arrayContaining(["payments"]),
      client: "shop 1.2",
    });
  });

  it.each([
    ["a wrong token", { token: "guessed" }, "unauthorized"],
    ["another version", { token: "till-token", api: 2 }, "unsupported"],
    ["no token", {}, "invalid-params"],
  ])("the session that was refused for %s, and never the token", async (_what, params, code) => {
    const socket = talk();
    await socket.call("session.open", params);
    expect(socket.events).toEqual([{ on: "session-refused", from: FROM, code }]);
    expect(JSON.stringify(socket.events)).not.toContain("guessed");
  });

  it("each call with its method, who made it, and why it was refused; a name of a stranger's own is not repeated", async () => {
    const socket = await opened();
    await socket.call("payment.start", sale);
    await socket.call("payment.start", { ...sale, amount: "1" });
    await socket.call("4111111111111111");
    socket.say("no JSON");
    const calls = socket.events.flatMap((event) =>
      event.on === "call" ? [[event.register, event.method, event.code]] : [],
    );
    expect(calls).toEqual([
      ["till", "session.open", undefined],
      ["till", "payment.start", undefined],
      ["till", "payment.start", "invalid-amount"],
      ["till", "unknown", "unknown-method"],
      ["till", "unknown", "parse-error"],
    ]);
    expect(JSON.stringify(socket.events)).not.toMatch(/4111|no JSON/);
  });

  it("a call without a session, without a register", async () => {
    const socket = talk();
    await socket.call("payment.list");
    expect(socket.events).toMatchObject([{ on: "call", from: FROM, method: "payment.list", code: "unauthorized" }]);
    expect(socket.events[0]).not.toHaveProperty("register");
  });

  it.each([
    ["4111 1111 1111 1111", "4111111111111111"],
    ["4111 1111 1111 1111", "1"],
    [`pbt_${"Ui5U9zJc".repeat(5)}abc`, "1"],
    ["1", "Ui5U9zJc".repeat(4)],
  ])("a program whose name could hide a number or a token, without that name (%s, %s)", async (name, version) => {
    const socket = talk();
    await socket.call("session.open", { token: "till-token", client: { name, version } });
    expect(socket.events[0]).toMatchObject({ on: "session-opened", client: "(unusual name)" });
  });

  it("why the bridge ended it", async () => {
    const socket = talk();
    for (let n = 0; n < 3; n += 1) await socket.call("session.open", { token: "wrong" });
    expect(socket.closes).toEqual([{ code: 1008, reason: "wrong tokens" }]);
    expect(socket.events.at(-1)).toEqual({ on: "socket-ended", from: FROM, why: "wrong-tokens" });
    const silent = talk();
    await silent.clock.advance(5_000);
    expect(silent.events).toEqual([{ on: "socket-ended", from: FROM, why: "no-session" }]);
  });
});

describe("of the port is told", () => {
  it("each request of another host or origin, with the address, and with the origin where it is one", async () => {
    await using bridge = await startBridge();
    const page = bridge.url.replace("ws", "http").replace("/v1", "/healthz");
    for (const origin of ["https://evil.example", "x".repeat(200)]) await fetch(page, { headers: { origin } });
    const socket = new WebSocket(bridge.url, { origin: "https://evil.example" });
    onTestFinished(() => socket.terminate());
    await new Promise((refused) => socket.once("close", refused));
    const from = expect.stringMatching(/^127\.0\.0\.1:[0-9]+$/);
    expect(bridge.events).toEqual([
      { from, why: "origin", origin: "https://evil.example" },
      { from, why: "origin" },
      { from, why: "origin", origin: "https://evil.example" },
    ]);
  });

  it("a socket that was crowded out, and one for which no place was left", async () => {
    await using bridge = await startBridge(undefined, {
      sockets: { sessions: 0, withoutSession: { all: 1, perAddress: 1 } },
    });
    const socket = new WebSocket(bridge.url);
    onTestFinished(() => socket.terminate());
    await new Promise((refused) => socket.once("error", refused));
    expect(bridge.events).toEqual([{ from: expect.stringMatching(/^127/), why: "full" }]);
  });
});
