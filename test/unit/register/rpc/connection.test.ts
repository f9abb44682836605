import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../../src/register/rpc/limits.ts";
import { helloSchema } from "../../../../src/register/rpc/schemas.ts";
import { fakePayments } from "../../../contract/fake-payments.ts";
import { BRIDGE_KEY } from "../../../contract/fake-registers.ts";
import { errorOf, opened, sale, talk } from "../../../contract/talk.ts";

describe("a connection", () => {
  it("greets first, with version, environment and a nonce", () => {
    const [hello] = talk().frames;
    expect(hello?.method).toBe("bridge.hello");
    expect(helloSchema.parse(hello?.params)).toEqual({
      bridge: { name: "posbridge", version: "0.1.0", id: "b1" },
      environment: "test",
      api: { min: 1, max: 1 },
      nonce: "n0",
      key: BRIDGE_KEY.public,
    });
  });

  it.each(["session.ping", "terminals.list", "payment.start", "events.subscribe", "no.such.method"])(
    "refuses %s before session.open",
    async (method) => {
      const open = talk();
      expect(errorOf(await open.call(method))).toEqual({
        code: -32001,
        is: "unauthorized",
        advice: "fix-request",
        path: undefined,
      });
      expect(open.payments.requests).toEqual([]);
    },
  );

  it("opens a session with a token and tells register, scopes and cursor", async () => {
    const { result } = await talk().call("session.open", {
      token: "till-token",
      api: 1,
      client: { name: "till", version: "1" },
    });
    expect(result).toEqual({ register: "till", scopes: ["payments", "refunds"], cursor: "0" });
  });

  it("lets calls that were sent right behind session.open wait for its answer", async () => {
    const open = talk();
    open.say({ jsonrpc: "2.0", id: "a", method: "session.open", params: { token: "till-token" } });
    open.say({ jsonrpc: "2.0", id: "b", method: "session.ping" });
    await open.clock.settle();
    expect(open.frames.slice(1).map(({ id, error }) => [id, error])).toEqual([
      ["a", undefined],
      ["b", undefined],
    ]);
  });

  it("refuses a wrong token, and after the third of them the socket is closed", async () => {
    const open = talk();
    for (let attempt = 1; attempt <= LIMITS.wrongTokens; attempt += 1) {
      expect(open.closes).toEqual([]);
      expect(errorOf(await open.call("session.open", { token: `guess-${attempt}` }))).toMatchObject({
        code: -32001,
        is: "unauthorized",
        path: "token",
      });
    }
    expect(open.closes.map(({ code }) => code)).toEqual([1008]);
  });

  it("speaks API 1 only, and opens one session only", async () => {
    const open = talk();
    expect(errorOf(await open.call("session.open", { token: "till-token", api: 2 }))).toMatchObject({
      is: "unsupported",
      path: "api",
    });
    await open.call("session.open", { token: "till-token" });
    expect(errorOf(await open.call("session.open", { token: "other-token" }))).toMatchObject({ is: "not-allowed" });
    expect(errorOf(await open.call("session.ping"))).toMatchObject({ code: 0 });
  });

  it("is closed after five silent seconds, unless somebody spoke or a session is open", async () => {
    const silent = talk();
    await silent.clock.advance(LIMITS.silenceMs - 1);
    expect(silent.closes).toEqual([]);
    await silent.clock.advance(1);
    expect(silent.closes).toEqual([{ code: 1008, reason: "no session.open" }]);

    const talking = talk();
    await talking.clock.advance(LIMITS.silenceMs - 1);
    await talking.call("session.ping");
    await talking.clock.advance(LIMITS.silenceMs - 1);
    expect(talking.closes).toEqual([]);

    const session = await opened();
    await session.clock.advance(LIMITS.silenceMs * 100);
    expect(session.closes).toEqual([]);
    expect(session.clock.pending()).toBe(0);
  });

  it("is closed where it talks and talks but opens no session; one that is opened in time stays", async () => {
    const talkOn = async (): Promise<ReturnType<typeof talk>> => {
      const open = talk();
      for (let spoken = 0; spoken < LIMITS.sessionMs - 1_000; spoken += 1_000) {
        await open.clock.advance(1_000);
        await open.call("session.ping");
      }
      await open.clock.advance(999);
      expect(open.closes).toEqual([]);
      return open;
    };
    const stranger = await talkOn();
    await stranger.clock.advance(1);
    expect(stranger.closes).toEqual([{ code: 1008, reason: "no session.open" }]);
    expect(stranger.clock.pending()).toBe(0);

    const till = await talkOn();
    expect((await till.call("session.open", { token: "till-token" })).error).toBeUndefined();
    await till.clock.advance(LIMITS.sessionMs);
    expect(till.closes).toEqual([]);
  });

  it("answers unknown methods and unknown fields with the standard errors and the path", async () => {
    const open = await opened();
    expect(errorOf(await open.call("payment.steal"))).toEqual({
      code: -32601,
      is: "unknown-method",
      advice: "fix-request",
      path: "method",
    });
    expect(errorOf(await open.call("session.ping", { now: 1 }))).toEqual({
      code: -32602,
      is: "invalid-params",
      advice: "fix-request",
      path: "now",
    });
  });

  it("does not repeat the name of an unknown field that could be a card number", async () => {
    const open = await opened();
    const answer = await open.call("payment.start", { ...sale, "4111111111111111": "x" });
    expect(JSON.stringify(answer)).not.toContain("4111");
    expect(errorOf(answer)).toMatchObject({ code: -32602, path: "(unusual name)" });
  });

  it("needs one of a method's scopes", async () => {
    const open = await opened("empty-token");
    for (const [method, params] of [
      ["payment.start", sale],
      ["payment.get", { reference: "r-1" }],
      ["terminals.test", { terminal: "till-1" }],
      ["events.subscribe", {}],
      ["payment.capture", { of: "r-1", reference: "c-1" }],
      ["payment.void", { of: "r-1", reference: "v-1" }],
      ["payment.refund", { of: "r-1", reference: "f-1" }],
      ["payment.increment", { of: "r-1", reference: "i-1", amount: "1.00" }],
      ["payment.confirmSignature", { reference: "r-1", accepted: true }],
      ["totals.get", {}],
    ] as const) {
      expect(errorOf(await open.call(method, params))).toMatchObject({
        code: -32002,
        is: "forbidden",
        advice: "fix-config",
      });
    }
    expect((await open.call("terminals.list")).error).toBeUndefined();
  });

  it("hides what failed inside, and tells the log", async () => {
    const open = await opened();
    open.payments.step = async (name) => {
      if (name === "start") throw new Error("disk on fire");
    };
    const answer = await open.call("payment.start", sale);
    expect(errorOf(answer)).toEqual({ code: -32603, is: "internal-error", advice: "call-support", path: undefined });
    expect(JSON.stringify(answer)).not.toContain("fire");
    expect(open.problems).toEqual(["payment.start: Error: disk on fire"]);
  });

  it("takes so many calls at once and so many a second, and closes on those who do not listen", async () => {
    const open = await opened();
    const ping = (id: number) => open.say({ jsonrpc: "2.0", id, method: "session.ping" });
    const refused = () => open.frames.filter(({ error }) => error?.data.code === "too-many-requests").length;
    // Waits for each, so that only the rate counts and not the calls in flight.
    for (let id = 1000; id < 1000 + LIMITS.callsAtOnce - 1; id += 1) {
      ping(id);
      if (id % 16 === 0) await open.clock.settle();
    }
    await open.clock.settle();
    expect(refused()).toBe(0);
    ping(2000);
    expect(refused()).toBe(1);
    await open.clock.advance(1000);
    for (let id = 3000; id < 3000 + LIMITS.callsPerSecond; id += 1) {
      ping(id);
      if (id % 16 === 0) await open.clock.settle();
    }
    expect(refused()).toBe(1);
    for (let id = 4000; id < 4000 + LIMITS.callsRefused; id += 1) ping(id);
    expect(open.closes.map(({ code }) => code)).toEqual([1008]);
  });

  it("takes only so many calls that wait for their reply", async () => {
    const open = await opened();
    open.payments.step = () => new Promise(() => undefined);
    for (let id = 1000; id <= 1000 + LIMITS.inFlight; id += 1)
      open.say({ jsonrpc: "2.0", id, method: "payment.wait", params: { reference: "r" } });
    await open.clock.settle();
    expect(open.frames.slice(2).map(({ id, error }) => [id, error?.data.code])).toEqual([
      [1000 + LIMITS.inFlight, "too-many-requests"],
    ]);
  });

  it("closes a reader that is too slow with 1013, says nothing more and stops listening", async () => {
    const open = await opened();
    await open.call("payment.start", sale);
    await open.call("events.subscribe", {});
    open.reader.reading = false;
    open.payments.change("pay_1", { state: "AUTHORIZING" });
    open.payments.change("pay_1", { state: "COMPLETING" });
    expect(open.closes.map(({ code }) => code)).toEqual([1013]);
    expect(open.changes().at(-1)?.payment.state).toBe("AUTHORIZING");
    expect(open.payments.listeners()).toBe(0);
  });

  it("never throws and answers at most once, whatever text comes", async () => {
    const anyRequest = fc.record(
      {
        jsonrpc: fc.constantFrom<unknown>("2.0", "1.0", 2),
        id: fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.double()),
        method: fc.oneof(
          fc.constantFrom(
            "session.open",
            "session.ping",
            "terminals.list",
            "terminals.test",
            "payment.start",
            "payment.get",
            "payment.wait",
            "payment.cancel",
          ),
          fc.constantFrom(
            "payment.list",
            "payment.receipt",
            "events.subscribe",
            "totals.get",
            "payment.confirmSignature",
            "nothing",
          ),
          fc.constantFrom("payment.capture", "payment.void", "payment.refund", "payment.increment"),
          fc.string(),
        ),
        params: fc.oneof(
          fc.jsonValue(),
          fc.constant({ token: "till-token" }),
          fc.constant(sale),
          fc.constant({ of: "r-1", reference: "f-1" }),
          fc.record({ reference: fc.jsonValue(), after: fc.jsonValue() }),
          fc.record(
            { of: fc.jsonValue(), reference: fc.constant("f-2"), amount: fc.jsonValue() },
            { requiredKeys: ["of", "reference"] },
          ),
        ),
      },
      { requiredKeys: ["method"] },
    );
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      anyRequest.map((request) => JSON.stringify(request)),
    );
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(text, { maxLength: 4 }), async (session, texts) => {
        const open = session ? await opened() : talk();
        for (const each of texts) {
          const before = open.frames.filter(({ method }) => method === undefined).length;
          open.say(each);
          await open.clock.settle();
          const answers = open.frames.filter(({ method }) => method === undefined).length - before;
          expect(answers).toBeLessThanOrEqual(1);
          if (open.closes.length === 0) expect(answers).toBe(1);
        }
        expect(open.problems).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("says nothing after it was closed, even where a call ends later", async () => {
    const payments = fakePayments();
    const open = await opened("till-token", payments);
    const gate = Promise.withResolvers<void>();
    payments.step = (name) => (name === "start" ? gate.promise : Promise.resolve());
    open.say({ jsonrpc: "2.0", id: 99, method: "payment.start", params: sale });
    await open.clock.settle();
    open.connection.closed();
    const before = open.frames.length;
    gate.resolve();
    await open.clock.settle();
    expect(payments.log).toHaveLength(2);
    expect(open.frames).toHaveLength(before);
    expect(payments.listeners()).toBe(0);
  });
});
