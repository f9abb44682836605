import { describe, expect, it } from "vitest";
import { CallRefused, ConnectionLost } from "../../../../src/client/errors.ts";
import type { PaymentView } from "../../../../src/payment/view-schema.ts";
import { type AskedBook, openBook } from "../../../../src/web/till/asked-book.ts";
import { createDesk, type Desk, type DeskClient } from "../../../../src/web/till/desk.ts";
import { nextTill, type Till, type TillEvent, tillAfterReload } from "../../../../src/web/till/till-state.ts";
import { inMemory, someAsked } from "./some-asked.ts";
import { APPROVED, somePayment } from "./some-payment.ts";

const SALE = {
  call: "payment.start",
  params: { type: "SALE", terminal: "till-1", currency: "EUR", amount: "12.34" },
  title: { type: "SALE", amount: "12.34", currency: "EUR" },
} as const;

function refusal(code: string, more: { reference?: string; register?: string } = {}): CallRefused {
  return new CallRefused({ code: -32_000, message: code, data: { code, message: code, advice: "retry", ...more } });
}

interface Bridge {
  readonly sent: { readonly method: string; readonly params: object }[];
  /** How the bridge answers a start, and a question for a reference. */
  start: (params: object) => Promise<PaymentView>;
  get: () => Promise<PaymentView>;
}

/** A till page with its storage, and a bridge that answers as the test says. */
function page(storage = inMemory()) {
  const book = openBook(() => storage);
  let till: Till = tillAfterReload(book.all());
  const told: TillEvent[] = [];
  const waiting: (() => void)[] = [];
  const desk: Desk = createDesk({
    book,
    clock: {
      now: () => Date.parse("2026-03-01T10:00:00.000Z"),
      monotonic: () => 0,
      after: (_, run) => {
        waiting.push(run);
        return () => undefined;
      },
    },
    random: { bytes: (count) => new Uint8Array(count).fill(told.length) },
    front: () => till.front,
    tell: (event) => {
      told.push(event);
      till = nextTill(till, event);
    },
  });
  return {
    desk,
    book,
    told,
    waiting,
    till: () => till,
    front: () => till.entries.find(({ name }) => name === till.front),
  };
}

function bridge(name = "b1", register = "till"): { readonly on: Bridge; readonly client: DeskClient } {
  const on: Bridge = { sent: [], start: async () => somePayment(), get: () => Promise.reject(refusal("not-found")) };
  const begin = async (method: string, params: object) => {
    on.sent.push({ method, params });
    return { payment: await on.start(params), created: true, warnings: [] };
  };
  const client: DeskClient = {
    hello: {
      bridge: { name: "posbridge", version: "1", id: name },
      environment: "test",
      api: { min: 1, max: 1 },
      nonce: "n",
      key: "k",
    },
    register,
    startPayment: (params) => begin("payment.start", params),
    createLink: (params) => begin("link.create", params),
    payRegistration: (params) => begin("registration.pay", params),
    capture: (params) => begin("payment.capture", params),
    refund: (params) => begin("payment.refund", params),
    increment: (params) => begin("payment.increment", params),
    void: (params) => begin("payment.void", params),
    get: (key) => {
      on.sent.push({ method: "payment.get", params: key });
      return on.get();
    },
    cancel: async () => ({ cancellation: "too-late", payment: somePayment(APPROVED) }),
    confirmSignature: async () => somePayment(APPROVED),
    list: async () => ({ payments: [] }),
  };
  return { on, client };
}

const references = (book: AskedBook): readonly string[] => book.all().map(({ params }) => params.reference);
const methods = ({ sent }: Bridge): readonly string[] => sent.map(({ method }) => method);

describe("a sale at the desk", () => {
  it("is in the browser's storage, with all its parameters, before it is sent", async () => {
    const { desk, book } = page();
    const { on, client } = bridge();
    let kept: ReturnType<AskedBook["all"]> = [];
    on.start = async () => {
      kept = book.all();
      return somePayment();
    };
    await desk.connected(client, []);
    await desk.ask(SALE);
    expect(kept).toHaveLength(1);
    expect(kept[0]).toMatchObject({ call: "payment.start", params: SALE.params, register: "till", bridge: "b1" });
    expect(on.sent.map(({ params }) => params)).toEqual([kept[0]?.params]);
  });

  it("is not sent where the browser keeps nothing", async () => {
    const storage = inMemory();
    storage.setItem = () => {
      throw new Error("QuotaExceededError");
    };
    const { desk, till } = page(storage);
    const { on, client } = bridge();
    await desk.connected(client, []);
    await desk.ask(SALE);
    expect(on.sent).toEqual([]);
    expect(till().trouble).toContain("Nothing was sent");
  });

  it("takes a reference of its own each time", async () => {
    const { desk, book, front } = page();
    const { on, client } = bridge();
    await desk.connected(client, []);
    await desk.ask(SALE);
    await desk.ask(SALE, front());
    expect(new Set(references(book)).size).toBe(2);
    expect(on.sent).toHaveLength(2);
    expect(front()?.standing.is).toBe("known");
  });

  it("is asked once, however often it is pressed before the page is drawn anew", async () => {
    const { desk, front } = page();
    const { on, client } = bridge();
    on.start = async () => somePayment(APPROVED);
    await desk.connected(client, []);
    await Promise.all([desk.ask(SALE), desk.ask(SALE)]);
    expect(on.sent).toHaveLength(1);
    const declined = front();
    await Promise.all([desk.ask(SALE, declined), desk.ask(SALE, declined)]);
    expect(on.sent).toHaveLength(2);
  });

  it("that is refused is forgotten, because a refusal consumes nothing", async () => {
    const { desk, book, front } = page();
    const { on, client } = bridge();
    on.start = () => Promise.reject(refusal("terminal-busy", { reference: "other", register: "till" }));
    await desk.connected(client, []);
    await desk.ask(SALE);
    expect(book.all()).toEqual([]);
    expect(front()?.standing).toMatchObject({
      is: "refused",
      refusal: { title: "The terminal is busy", inTheWay: "other" },
    });
  });

  it.each(["journal-broken", "internal-error", "code-of-a-later-bridge"])(
    "that is refused with %s may have been accepted: the bridge is asked for it",
    async (code) => {
      const { desk, book, front } = page();
      const { on, client } = bridge();
      on.start = () => Promise.reject(refusal(code));
      on.get = async () => somePayment({ state: "AWAITING_CARD" });
      await desk.connected(client, []);
      await desk.ask(SALE);
      expect(methods(on)).toEqual(["payment.start", "payment.get"]);
      expect(book.all()).toHaveLength(1);
      expect(front()?.standing.is).toBe("known");
    },
  );
});

describe("after a cut connection or a reload", () => {
  const cut = async () => {
    const storage = inMemory();
    const first = page(storage);
    const { on, client } = bridge();
    on.start = () => Promise.reject(new ConnectionLost(1006, ""));
    await first.desk.connected(client, []);
    await first.desk.ask(SALE);
    return { storage, first, reference: references(first.book)[0] ?? "" };
  };

  it("the sale is found again by its reference, and nothing is sent a second time", async () => {
    const { storage, reference } = await cut();
    const next = page(storage);
    const { on, client } = bridge();
    on.get = async () => somePayment({ ...APPROVED, reference });
    expect(next.front()?.standing.is).toBe("unheard");
    await next.desk.connected(client, next.till().entries);
    expect(on.sent).toEqual([{ method: "payment.get", params: { reference } }]);
    expect(next.front()?.standing).toMatchObject({ is: "known", payment: { outcome: "APPROVED" } });
  });

  it("a sale that the bridge never accepted is sent again only when a person says so, as it was", async () => {
    const { storage, first, reference } = await cut();
    const next = page(storage);
    const { on, client } = bridge();
    await next.desk.connected(client, next.till().entries);
    expect(methods(on)).toEqual(["payment.get"]);
    expect(next.front()?.standing).toEqual({ is: "not-accepted" });
    const [asked] = first.book.all();
    if (asked !== undefined) await next.desk.repeat(asked);
    expect(on.sent.at(-1)).toEqual({ method: "payment.start", params: { ...SALE.params, reference } });
  });

  it.each([
    ["another bridge", bridge("b2")],
    ["another register", bridge("b1", "bar")],
  ])("%s is not believed to know that it was never accepted", async (_, { on, client }) => {
    const { storage } = await cut();
    const next = page(storage);
    await next.desk.connected(client, next.till().entries);
    expect(on.sent).toEqual([]);
    expect(next.front()?.standing).toEqual({ is: "elsewhere" });
  });

  it("a bridge that has forgotten a sale which it had accepted is not believed either", async () => {
    const storage = inMemory();
    const first = page(storage);
    const { on, client } = bridge();
    await first.desk.connected(client, []);
    await first.desk.ask(SALE);
    const next = page(storage);
    await next.desk.connected(client, next.till().entries);
    expect(methods(on)).toEqual(["payment.start", "payment.get"]);
    expect(next.front()?.standing).toEqual({ is: "elsewhere" });
    await first.desk.connected(client, first.till().entries);
    expect(first.front()?.standing).toEqual({ is: "elsewhere" });
  });

  it("a question that the bridge did not answer is asked again", async () => {
    const { storage, reference } = await cut();
    const next = page(storage);
    const { on, client } = bridge();
    on.get = () => Promise.reject(refusal("too-many-requests"));
    await next.desk.connected(client, next.till().entries);
    expect(next.front()?.standing.is).toBe("unheard");
    on.get = async () => somePayment({ ...APPROVED, reference });
    for (const run of next.waiting.splice(0)) run();
    await expect.poll(() => next.front()?.standing.is).toBe("known");
  });

  it("what is not decided stays in the storage when it is laid aside, and goes when its end was seen", async () => {
    const { desk, book, till, front } = page();
    const { client } = bridge();
    await desk.connected(client, []);
    await desk.ask(SALE);
    const open = front();
    if (open !== undefined) desk.putAway(open);
    expect(till()).toMatchObject({ front: undefined, entries: [{ name: open?.name }] });
    expect(book.all()).toHaveLength(1);
    const ended = nextTill(till(), { is: "changed", payment: somePayment(APPROVED) }).entries[0];
    if (ended !== undefined) desk.putAway(ended);
    expect(book.all()).toEqual([]);
  });
});

it("says in words which of its three answers the bridge gave to a cancel", async () => {
  const { desk, front } = page();
  const { client } = bridge();
  await desk.connected(client, []);
  await desk.ask(SALE);
  const open = front();
  if (open !== undefined) await desk.cancel(open);
  expect(front()).toMatchObject({ cancellation: "too-late", standing: { payment: { outcome: "APPROVED" } } });
});

it("keeps what somebody else asked for out of the way", () => {
  const till = nextTill(tillAfterReload([someAsked("r1")]), {
    is: "changed",
    payment: somePayment({ register: "bar" }),
  });
  expect(till.entries[0]?.standing.is).toBe("unheard");
});
