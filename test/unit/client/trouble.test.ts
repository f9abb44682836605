import { expect, it } from "vitest";
import { WebSocket } from "ws";
import { connectRegister } from "../../../src/client/client.ts";
import { type BridgeState, keepBridge } from "../../../src/client/keep-bridge.ts";
import { keptIn, memoryStorage } from "../../../src/client/kept.ts";
import type { Page, Permission } from "../../../src/client/page.ts";
import { OriginNotAllowed } from "../../../src/client/refusals.ts";
import { type Ended, type Surroundings, troubleAfter, troubleWhile } from "../../../src/client/trouble.ts";
import type { OpenSocket, SocketEvents } from "../../../src/client/wire-socket.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { startBridge } from "../../contract/bridge.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const url = "ws://127.0.0.1:7717/v1";
const shop = { origin: "https://till.example", hostname: "till.example", isSecure: true };
const plain = { origin: "http://till.example", hostname: "till.example", isSecure: false };
const own = { origin: "http://127.0.0.1:7717", hostname: "127.0.0.1", isSecure: true };
const lan = { origin: "http://192.168.1.5", hostname: "192.168.1.5", isSecure: false };
const unheard: Ended = { is: "unheard", isForbidden: false };
const forbidden: Ended = { is: "unheard", isForbidden: true };

/** Sockets of a page of that origin: Node's own cannot name one. */
function openFrom(origin: string): OpenSocket {
  return (address, events) => {
    const socket = new WebSocket(address, { origin });
    socket.on("message", (data) => events.text(String(data)));
    socket.on("close", (code, reason) => events.closed(code, String(reason)));
    return { send: (text) => socket.send(text), close: (code, reason) => socket.close(code, reason) };
  };
}

const around = (page: Surroundings["page"], permission: Permission): Surroundings => ({ url, page, permission });

it.each<[string, Ended, Surroundings["page"], Permission]>([
  ["not-running", unheard, undefined, "unknown"],
  ["not-running", unheard, shop, "granted"],
  ["not-running", unheard, shop, "unknown"],
  ["not-running", unheard, own, "prompt"],
  ["not-running", unheard, lan, "prompt"],
  ["blocked-by-browser", unheard, shop, "prompt"],
  ["blocked-by-browser", unheard, shop, "denied"],
  ["blocked-by-browser", unheard, plain, "prompt"],
  ["blocked-by-browser", forbidden, shop, "unknown"],
  ["origin-not-allowed", { is: "refused", code: "origin-not-allowed", message: "no" }, shop, "granted"],
  ["not-paired", { is: "refused", code: "unauthorized", message: "no" }, undefined, "unknown"],
  ["refused", { is: "refused", code: "shutting-down", message: "the bridge stops" }, shop, "granted"],
  ["lost", { is: "closed" }, shop, "granted"],
  ["refused", { is: "refused", code: "not-this-bridge", message: "no" }, undefined, "unknown"],
])("tells %s of %j on %j with the permission %s", (kind, ended, page, permission) => {
  const { kind: told, message } = troubleAfter(ended, around(page, permission));
  expect(told).toBe(kind);
  expect(message).toMatch(/^\S.{10,}/);
});

it.each<[string | undefined, boolean, Surroundings["page"], Permission]>([
  ["press-first", false, shop, "prompt"],
  [undefined, true, shop, "prompt"],
  [undefined, false, shop, "granted"],
  [undefined, false, shop, "unknown"],
  ["blocked-by-browser", true, shop, "denied"],
  [undefined, false, plain, "prompt"],
  [undefined, false, own, "prompt"],
  [undefined, false, lan, "prompt"],
  [undefined, false, undefined, "unknown"],
])("tells %s before a try (pressed: %s) on %j with the permission %s", (kind, isPressed, page, permission) => {
  expect(troubleWhile({ is: "before", isPressed }, around(page, permission))?.kind).toBe(kind);
});

it("says allow it after a second without an event, and only where the browser asks", () => {
  const after = (forMs: number, permission: Permission) =>
    troubleWhile({ is: "connecting", forMs }, around(shop, permission))?.kind;
  expect([after(999, "prompt"), after(1_000, "prompt"), after(5_000, "granted")]).toEqual([
    undefined,
    "allow-it",
    undefined,
  ]);
});

it("says what to do where another bridge answers than the paired one", () => {
  const { message } = troubleAfter({ is: "refused", code: "not-this-bridge", message: "" }, around(shop, "granted"));
  expect(message).toMatch(/if the bridge was installed anew, .* pair this register again; otherwise/);
});

it("names the page's origin and the bridge's address in the words", () => {
  const refused: Ended = { is: "refused", code: "origin-not-allowed", message: "no" };
  expect(troubleAfter(refused, around(shop, "granted")).message).toContain("https://till.example");
  expect(troubleAfter(unheard, around(undefined, "unknown")).message).toContain("127.0.0.1:7717");
  const secure = { ...around(undefined, "unknown"), url: "wss://till.example:7717/v1" };
  expect(troubleAfter(unheard, secure).message).toContain("certificate");
});

it("connects from a press, says allow it while the browser asks, and that it is blocked once it closes", async () => {
  const clock = createVirtualClock(0);
  const sockets: SocketEvents[] = [];
  const states: string[] = [];
  const told = (): Promise<void> => clock.advance(0);
  let permission: Permission = "prompt";
  const page: Page = { ...shop, permission: async () => permission, isPressed: () => false };
  const bridge = keepBridge({
    ...{ url, token: "t", page, clock, cursor: keptIn(memoryStorage()).cursor, onChange: () => undefined },
    onState: (state: BridgeState) => states.push("trouble" in state ? (state.trouble?.kind ?? "") : state.is),
    openSocket: (_url, events) => {
      sockets.push(events);
      return { send: () => undefined, close: () => undefined };
    },
  });
  await told();
  expect([states, sockets.length]).toEqual([["connecting", "press-first"], 0]);
  bridge.retry();
  await told();
  expect(sockets.length).toBe(1);
  await clock.advance(1_000);
  expect(states.at(-1)).toBe("allow-it");
  permission = "denied";
  sockets[0]?.closed(1006, "");
  await told();
  expect(states.at(-1)).toBe("blocked-by-browser");
  bridge.stop();
});

it("hears from the bridge that its origin is not allowed", async () => {
  await using bridge = await startBridge();
  const states = Promise.withResolvers<BridgeState>();
  const fromPage = openFrom("https://evil.example");
  const refused = connectRegister({ url: bridge.url, token: "till-token", after: undefined, openSocket: fromPage });
  await expect(refused).rejects.toBeInstanceOf(OriginNotAllowed);
  const kept = keepBridge({
    ...{ url: bridge.url, token: "till-token", page: undefined, clock: systemClock, openSocket: fromPage },
    ...{ cursor: keptIn(memoryStorage()).cursor, onChange: () => undefined },
    onState: (state) => void (state.is === "lost" && states.resolve(state)),
  });
  expect(await states.promise).toMatchObject({ trouble: { kind: "origin-not-allowed" } });
  kept.stop();
});
