import { afterEach, describe, expect, it } from "vitest";
import { CallRefused, ConnectionLost } from "../../../src/client/errors.ts";
import { memoryStorage } from "../../../src/client/kept.ts";
import { connect, type Register, type RegisterOptions } from "../../../src/client/register.ts";
import { type OpenSocket, platformSocket, type WireSocket } from "../../../src/client/wire-socket.ts";
import type { PaymentView } from "../../../src/payment/view-schema.ts";
import { type Bridge, startBridge } from "../../contract/bridge.ts";
import { sale } from "../../contract/talk.ts";

const start = { ...sale, type: "SALE" } as const;
const token = "till-token";

let open: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  const close = open;
  open = [];
  for (const each of close) await each();
});

interface Net {
  openSocket: OpenSocket;
  /** The socket is cut in place of sending a frame of that method. */
  cutAfterSending?: string | undefined;
  /** The socket is cut once the answer to that method has come. */
  cutBeforeHearing?: string | undefined;
  /** The next answer to that method is this refusal. */
  refuseOnce?: { readonly method: string; readonly code: string } | undefined;
  /** In place of each token that is sent. */
  tokenFromNowOn?: string;
  /** Every frame that was sent. */
  readonly sent: string[];
  opened: number;
}

/** The platform's sockets, cut where a test says so. */
function cuttable(): Net {
  const net: Net = { openSocket: platformSocket, sent: [], opened: 0 };
  const openSocket: OpenSocket = (url, events) => {
    net.opened += 1;
    let [isCut, deaf] = [false, false];
    let refused: { readonly id: string; readonly code: string } | undefined;
    let socket: WireSocket;
    const cut = (): void => {
      if (isCut) return;
      isCut = true;
      socket.close(4000);
      events.closed(1006, "cut");
    };
    socket = platformSocket(url, {
      text: (text) => {
        if (deaf && /"id":/.test(text)) cut();
        else if (refused !== undefined && text.includes(`"id":${refused.id},`)) events.text(refusalOf(refused));
        else if (!isCut) events.text(text);
      },
      closed: (code, reason) => {
        if (!isCut) events.closed(code, reason);
        isCut = true;
      },
    });
    const send = (text: string): void => {
      const sends = (method: string | undefined): boolean =>
        method !== undefined && text.includes(`"method":"${method}"`);
      if (sends(net.cutAfterSending)) {
        net.cutAfterSending = undefined;
        cut();
        return;
      }
      if (sends(net.cutBeforeHearing)) {
        net.cutBeforeHearing = undefined;
        deaf = true;
      }
      if (sends(net.refuseOnce?.method)) {
        refused = { id: /"id":(\d+)/.exec(text)?.[1] ?? "", code: net.refuseOnce?.code ?? "" };
        net.refuseOnce = undefined;
      }
      net.sent.push(text);
      socket.send(net.tokenFromNowOn === undefined ? text : text.replace(token, net.tokenFromNowOn));
    };
    return { send, close: (code, reason) => socket.close(code, reason) };
  };
  net.openSocket = openSocket;
  return net;
}

function refusalOf({ id, code }: { readonly id: string; readonly code: string }): string {
  const error = { code: -32019, message: code, data: { code, message: code, advice: "retry" } };
  return JSON.stringify({ jsonrpc: "2.0", id: Number(id), error });
}

async function till(
  options: Partial<RegisterOptions> = {},
): Promise<{ readonly bridge: Bridge; readonly register: Register; readonly net: Net }> {
  const bridge = await startBridge();
  const net = cuttable();
  const register = connect({ url: bridge.url, token, openSocket: net.openSocket, ...options });
  open.push(
    () => register.close(),
    () => bridge.server.close(),
  );
  return { bridge, register, net };
}

const approved = { state: "FINAL", outcome: "APPROVED", decision: "approved" } as const;

describe("a register", () => {
  it("sells in ten lines: each change as it comes, and how it ended", async () => {
    const { bridge, register } = await till();
    const payment = register.start(start);
    const states: string[] = [];
    for await (const { state } of payment) {
      states.push(state);
      if (state === "AWAITING_CARD") bridge.payments.change("pay_1", approved);
    }
    expect(states).toEqual(["CREATED", "AWAITING_CARD", "FINAL"]);
    expect(await payment.final).toMatchObject({ outcome: "APPROVED", decision: "approved" });
  });

  it.each([
    ["the start is lost on its way", { cutAfterSending: "payment.start" }],
    ["the answer to the start is lost", { cutBeforeHearing: "payment.start" }],
    ["the session is lost while it is opened", { cutBeforeHearing: "session.open" }],
  ])("starts a payment once where %s", async (_what, cut) => {
    const { bridge, register, net } = await till();
    Object.assign(net, cut);
    const payment = register.start(start);
    const { id } = await payment.accepted;
    bridge.payments.change(id, approved);
    expect((await payment.final).outcome).toBe("APPROVED");
    expect(bridge.payments.requests.map(({ reference }) => reference)).toContain("r-1");
    expect(new Set((await register.ask((session) => session.list())).payments.map((one) => one.id))).toEqual(
      new Set(["pay_1"]),
    );
    expect(net.opened).toBeGreaterThan(1);
  });

  it("hears how a payment ended while it was not connected", async () => {
    const { bridge, register, net } = await till();
    const payment = register.start(start);
    const { id } = await payment.accepted;
    net.cutAfterSending = "session.ping";
    const pinged = register.ask((session) => session.ping());
    bridge.payments.change(id, approved);
    await pinged;
    expect((await payment.final).decision).toBe("approved");
  });

  it("throws what the bridge refuses, and starts nothing", async () => {
    const { bridge, register } = await till();
    const payment = register.start({ ...start, amount: "12" });
    await expect(payment.accepted).rejects.toBeInstanceOf(CallRefused);
    await expect(payment.final).rejects.toMatchObject({ code: "invalid-amount" });
    await expect(collected(payment)).rejects.toMatchObject({ code: "invalid-amount" });
    expect(bridge.payments.requests).toEqual([]);
  });

  it("cancels a payment whose signal is aborted, and tells how it ended", async () => {
    const { register } = await till();
    const abort = new AbortController();
    const payment = register.start(start, { signal: abort.signal });
    await payment.accepted;
    abort.abort(new Error("the customer left"));
    expect((await payment.final).outcome).toBe("CANCELLED");
  });

  it("never sends a start whose signal was aborted before", async () => {
    const { bridge, register } = await till();
    const payment = register.start(start, { signal: AbortSignal.abort(new Error("the customer left")) });
    await expect(payment.final).rejects.toThrow("the customer left");
    expect(bridge.payments.requests).toEqual([]);
  });

  it("does not send a start again that was aborted while its answer was lost, and cancels it where it had arrived", async () => {
    const { bridge, register, net } = await till();
    const abort = new AbortController();
    net.cutBeforeHearing = "payment.start";
    bridge.payments.step = async (name) => {
      if (name === "start") abort.abort(new Error("the customer left"));
    };
    const payment = register.start(start, { signal: abort.signal });
    expect((await payment.final).outcome).toBe("CANCELLED");
    expect(bridge.payments.requests).toHaveLength(1);
  });

  it("takes up a payment after a restart by its reference", async () => {
    const { bridge, register } = await till();
    await register.start(start).accepted;
    const next = connect({ url: bridge.url, token });
    open.push(() => next.close());
    const payment = next.resume("r-1");
    expect((await payment.accepted).id).toBe("pay_1");
    expect(await payment.cancel()).toBe("accepted");
    expect((await payment.final).outcome).toBe("CANCELLED");
    await expect(next.resume("never").final).rejects.toMatchObject({ code: "not-found" });
  });

  it("goes on after the cursor of its first session where that was lost before any change", async () => {
    const { register, net } = await till();
    await register.ask((session) => session.ping());
    net.cutAfterSending = "session.ping";
    await register.ask((session) => session.ping());
    const opens = net.sent.filter((text) => text.includes('"session.open"'));
    expect(opens.map((text) => text.includes('"after":"'))).toEqual([false, true]);
  });

  it("knows after a restart, by its storage, which payments to take up, and forgets each that is over", async () => {
    const storage = memoryStorage();
    const { bridge, register } = await till({ storage });
    await register.start(start).accepted;
    await expect(register.start({ ...start, reference: "r-2", amount: "12" }).accepted).rejects.toThrow();
    expect(register.unfinished()).toEqual(["r-1"]);
    register.close();

    const next = connect({ url: bridge.url, token, storage });
    open.push(() => next.close());
    expect(next.unfinished()).toEqual(["r-1"]);
    const payment = next.resume("r-1");
    const { id } = await payment.accepted;
    bridge.payments.change(id, approved);
    expect((await payment.final).decision).toBe("approved");
    expect(next.unfinished()).toEqual([]);
  });

  it("says that a token is not taken, and asks no further", async () => {
    const states: string[] = [];
    const { register, net } = await till({ token: "wrong", onState: ({ is }) => states.push(is) });
    await expect(register.start(start).accepted).rejects.toThrow();
    expect(states).toEqual(["connecting", "refused"]);
    expect(net.opened).toBe(1);
  });

  it("is closed while a payment runs and a call is under way: both end", async () => {
    const { bridge, register } = await till();
    const payment = register.start(start);
    await payment.accepted;
    const asked = Promise.withResolvers<void>();
    bridge.payments.step = (name) => {
      if (name === "wait") asked.resolve();
      return new Promise(() => undefined);
    };
    const waiting = register.ask((session) => session.waitPayment({ reference: "r-1" }));
    waiting.catch(() => undefined);
    await asked.promise;
    register.close();
    await expect(payment.final).rejects.toThrow("the register was closed");
    await expect(collected(payment)).rejects.toThrow("the register was closed");
    await expect(waiting).rejects.toThrow("the register was closed");
  });

  it("is refused when it comes back: its payments end, and how is not known here", async () => {
    const { register, net } = await till();
    const payment = register.start(start);
    await payment.accepted;
    net.tokenFromNowOn = "another-token";
    net.cutAfterSending = "session.ping";
    await expect(register.ask((session) => session.ping())).rejects.toBeInstanceOf(ConnectionLost);
    await expect(payment.final).rejects.toBeInstanceOf(ConnectionLost);
  });

  it.each(["journal-broken", "too-many-requests", "shutting-down"])(
    "sends a start again that was answered with %s, under the same reference",
    async (code) => {
      const { bridge, register, net } = await till();
      net.refuseOnce = { method: "payment.start", code };
      expect((await register.start(start).accepted).id).toBe("pay_1");
      expect(new Set(bridge.payments.requests.map(({ reference }) => reference))).toEqual(new Set(["r-1"]));
      expect(net.sent.filter((text) => text.includes('"payment.start"'))).toHaveLength(2);
    },
  );

  it("leaves a payment that is over alone where its signal is aborted later", async () => {
    const { bridge, register, net } = await till();
    const abort = new AbortController();
    const payment = register.start(start, { signal: abort.signal });
    bridge.payments.change((await payment.accepted).id, approved);
    await payment.final;
    abort.abort();
    await register.ask((session) => session.ping());
    expect(net.sent.filter((text) => text.includes('"payment.cancel"'))).toEqual([]);
  });

  it("is closed: what waits ends", async () => {
    const register = connect({ url: "ws://127.0.0.1:9/v1", token });
    const payment = register.start(start);
    register.close();
    await expect(payment.final).rejects.toThrow("the register was closed");
  });
});

async function collected(payment: AsyncIterable<PaymentView>): Promise<PaymentView[]> {
  const views: PaymentView[] = [];
  for await (const view of payment) views.push(view);
  return views;
}
