import net from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectRegister } from "../../../src/client/client.ts";
import { CallRefused } from "../../../src/client/errors.ts";
import { NotPaired, NotThisBridge, PairingRefused, pairRegister } from "../../../src/client/pairing.ts";
import { type PairingStore, textPairingStore } from "../../../src/client/pairing-store.ts";
import { type OpenSocket, platformSocket } from "../../../src/client/wire-socket.ts";
import { type Bridge, startBridge } from "../../contract/bridge.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

/** Where a program keeps its pairing, with its text. */
function textStore(): PairingStore & { text: string | undefined } {
  const store: PairingStore & { text: string | undefined } = {
    text: undefined,
    ...textPairingStore({
      read: async () => store.text,
      write: async (text) => {
        store.text = text;
      },
    }),
  };
  return store;
}

async function bridge(): Promise<Bridge> {
  const started = await startBridge();
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}

/** Pairs, with a technician who approves the code that the register shows. */
function paired(on: Bridge, store: PairingStore, url = on.url) {
  const onCode = ({ code }: { code: string }): void => {
    if (!on.registers.registers.approve({ code, by: "root" }).ok) throw new Error(`nobody waits with ${code}`);
  };
  return pairRegister({ url, name: "till-7", store, onCode });
}

/** A program on another port, which passes everything on and corrects the Host header. */
async function relay(on: Bridge): Promise<string> {
  const server = net.createServer((near) => {
    const far = net.connect(on.server.port, "127.0.0.1");
    near.once("data", (head: Buffer) => {
      far.write(head.toString("latin1").replace(/^Host: .*$/im, `Host: 127.0.0.1:${on.server.port}`), "latin1");
      near.pipe(far);
    });
    far.pipe(near);
    for (const end of [near, far]) end.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => void server.close());
  const address = server.address();
  return `ws://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1`;
}

describe("a register that pairs", () => {
  it("keeps its key, and opens sessions by it without a token", async () => {
    const [on, store] = [await bridge(), textStore()];
    expect(await paired(on, store)).toEqual({ register: "till-7", scopes: ["payments", "refunds"] });
    const client = await connectRegister({ url: on.url, pairing: store, after: undefined });
    expect(client.register).toBe("till-7");
    client.close();
  });

  it("hears that it was refused, and keeps nothing", async () => {
    const [on, store] = [await bridge(), textStore()];
    const onCode = ({ code }: { code: string }): void => void on.registers.registers.refuse({ code, by: "root" });
    await expect(pairRegister({ url: on.url, name: "a", store, onCode })).rejects.toThrow(PairingRefused);
    expect(store.text).toBeUndefined();
    const opening = connectRegister({ url: on.url, pairing: store, after: undefined });
    await expect(opening).rejects.toThrow(NotPaired);
  });

  it("gives up when it is told to, and the code ends", async () => {
    const [on, abort] = [await bridge(), new AbortController()];
    const onCode = (): void => abort.abort(new Error("closed"));
    const pairing = pairRegister({ url: on.url, name: "a", store: textStore(), onCode, signal: abort.signal });
    await expect(pairing).rejects.toThrow("closed");
    await expect.poll(() => on.registers.registers.pending()).toEqual([]);
  });

  it("gives up after the code's time where the bridge falls silent, whatever end it told", async () => {
    const [on, store, clock] = [await bridge(), textStore(), createVirtualClock(0)];
    const shown = Promise.withResolvers<void>();
    const far = (frame: string): string =>
      frame.replace(/"expiresAt":"[^"]+"/, '"expiresAt":"2999-01-01T00:00:00.000Z"');
    const openSocket: OpenSocket = (url, { text, closed }) =>
      platformSocket(url, { closed, text: (frame) => text(far(frame)) });
    const onCode = (): void => shown.resolve();
    const pairing = pairRegister({ url: on.url, name: "a", store, onCode, openSocket, clock });
    const refused = expect(pairing).rejects.toMatchObject({ reason: "expired" });
    await shown.promise;
    await clock.advance(330_000);
    await refused;
    expect(store.text).toBeUndefined();
  });

  it("takes no name that may lead elsewhere", async () => {
    const pairing = pairRegister({
      url: "ws://localhost:7717/v1",
      name: "a",
      store: textStore(),
      onCode: () => undefined,
    });
    await expect(pairing).rejects.toThrow("localhost may lead to another program; use 127.0.0.1");
  });

  it("has a damaged text of a pairing read as none", async () => {
    const store = textStore();
    for (const text of ["", "{", '{"publicKey":1}']) {
      store.text = text;
      expect(await store.read()).toBeUndefined();
    }
  });
});

describe("a program that is not the bridge", () => {
  it("relays from another port, and neither pairs nor opens anything", async () => {
    const [on, store] = [await bridge(), textStore()];
    const url = await relay(on);
    await expect(paired(on, textStore(), url)).rejects.toThrow(NotThisBridge);
    await paired(on, store);
    await expect(connectRegister({ url, pairing: store, after: undefined })).rejects.toThrow(NotThisBridge);
    expect(on.events.filter((event) => "on" in event && event.on === "session-opened")).toEqual([]);
  });

  it("tells another code than both keys make, and the register keeps nothing", async () => {
    const [on, store] = [await bridge(), textStore()];
    const openSocket: OpenSocket = (url, { text, closed }) =>
      platformSocket(url, { closed, text: (frame) => text(frame.replace(/"code":"[^"]+"/, '"code":"222222"')) });
    const onCode = (): void => expect.fail("a code was shown");
    const pairing = pairRegister({ url: on.url, name: "a", store, onCode, openSocket });
    await expect(pairing).rejects.toThrow(NotThisBridge);
    expect(store.text).toBeUndefined();
  });

  it("has another key, and gets nothing but random bytes", async () => {
    const [on, store] = [await bridge(), textStore()];
    await paired(on, store);
    const kept = await store.read();
    if (kept === undefined) throw new Error("not kept");
    await store.keep({ ...kept, bridge: kept.key.publicKey });
    await expect(connectRegister({ url: on.url, pairing: store, after: undefined })).rejects.toThrow(
      "its key is not the one that this register was paired with",
    );
  });

  it("is told from a bridge that has revoked the key", async () => {
    const [on, store] = [await bridge(), textStore()];
    await paired(on, store);
    on.registers.forget();
    const opening = connectRegister({ url: on.url, pairing: store, after: undefined });
    await expect(opening).rejects.toThrow(CallRefused);
    await expect(opening).rejects.toMatchObject({ code: "unauthorized", path: "key" });
  });
});
