import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { LIMITS } from "../../../../src/register/rpc/limits.ts";
import { repeatedMember } from "../../../../src/register/rpc/repeated-member.ts";
import { parseRequest, refusalError } from "../../../../src/register/rpc/rpc.ts";

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

test("a refusal tells the payment that is in the way in fields of its own", () => {
  const refusal = {
    code: "terminal-busy",
    message: 'terminal till-1 is busy with reference "R-1"',
    advice: "retry",
  } as const;
  expect(refusalError({ ...refusal, about: { reference: "R-1", register: "till" } })).toEqual({
    code: -32004,
    message: refusal.message,
    data: { ...refusal, reference: "R-1", register: "till" },
  });
  expect(refusalError(refusal).data).toEqual(refusal);
});

describe("a frame", () => {
  it("is taken when it is one request with an id and named parameters", () => {
    expect(parseRequest('{"jsonrpc":"2.0","id":7,"method":"session.ping","params":{}}')).toEqual({
      ok: true,
      request: { id: 7, method: "session.ping", params: {} },
    });
    expect(parseRequest('{"jsonrpc":"2.0","id":"a","method":"session.ping"}')).toEqual({
      ok: true,
      request: { id: "a", method: "session.ping", params: {} },
    });
  });

  it.each([
    ["is not JSON", "{", null, -32700, undefined],
    ["is empty", "", null, -32700, undefined],
    ["is a batch", '[{"jsonrpc":"2.0","id":1,"method":"session.ping"}]', null, -32600, undefined],
    ["is an empty batch", "[]", null, -32600, undefined],
    ["is a bare string", '"session.ping"', null, -32600, undefined],
    ["is null", "null", null, -32600, undefined],
    ["has no version", '{"id":1,"method":"session.ping"}', 1, -32600, "jsonrpc"],
    ["has another version", '{"jsonrpc":"1.0","id":1,"method":"session.ping"}', 1, -32600, "jsonrpc"],
    ["has no id", '{"jsonrpc":"2.0","method":"session.ping"}', null, -32600, "id"],
    ["has the id null", '{"jsonrpc":"2.0","id":null,"method":"session.ping"}', null, -32600, "id"],
    ["has a broken id", '{"jsonrpc":"2.0","id":1.5,"method":"session.ping"}', null, -32600, "id"],
    ["has no method", '{"jsonrpc":"2.0","id":1}', 1, -32600, "method"],
    ["has an unknown member", '{"jsonrpc":"2.0","id":1,"method":"m","extra":1}', 1, -32600, "extra"],
    ["has parameters by position", '{"jsonrpc":"2.0","id":1,"method":"m","params":["x"]}', 1, -32602, "params"],
    ["has parameters that are text", '{"jsonrpc":"2.0","id":1,"method":"m","params":"x"}', 1, -32600, "params"],
    ["is an answer", '{"jsonrpc":"2.0","id":1,"result":{}}', 1, -32600, "method"],
    ["has a member __proto__", '{"jsonrpc":"2.0","id":1,"method":"m","params":{"__proto__":1}}', 1, -32600, undefined],
    ["names its id twice", '{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}', null, -32600, "id"],
    ["names its method twice", '{"jsonrpc":"2.0","id":1,"method":"m","method":"n"}', 1, -32600, "method"],
    [
      "names its parameters twice",
      '{"jsonrpc":"2.0","id":1,"method":"m","params":{},"params":{}}',
      1,
      -32600,
      "params",
    ],
    [
      "names a parameter twice",
      '{"jsonrpc":"2.0","id":1,"method":"m","params":{"amount":"1.00","amount":"2.00"}}',
      1,
      -32602,
      "amount",
    ],
    [
      "names a parameter twice in the same words",
      '{"jsonrpc":"2.0","id":1,"method":"m","params":{"amount":"1.00","amount":"1.00"}}',
      1,
      -32602,
      "amount",
    ],
    [
      "names a parameter twice, once by escapes",
      '{"jsonrpc":"2.0","id":1,"method":"m","params":{"amount":"1.00","\\u0061mount":"2.00"}}',
      1,
      -32602,
      "amount",
    ],
    [
      "names a field of a list twice",
      '{"jsonrpc":"2.0","id":1,"method":"m","params":{"cart":{"items":[{},{"name":"a","b":1,"name":"c"}]}}}',
      1,
      -32602,
      "cart.items[1].name",
    ],
    [
      "is nested too deep",
      `{"jsonrpc":"2.0","id":1,"method":"m","params":${nested(LIMITS.depth)}}`,
      1,
      -32600,
      undefined,
    ],
  ])("is refused when it %s", (_what, text, id, code, path) => {
    const parsed = parseRequest(text);
    expect(parsed.ok).toBe(false);
    if (parsed.ok) return;
    expect({ id: parsed.id, code: parsed.error.code, path: parsed.error.data.path }).toEqual({ id, code, path });
    expect(parsed.error.data.advice).toBe("fix-request");
  });

  it("says that a request needs an id, for one without an id asks for no answer in JSON-RPC", () => {
    const parsed = parseRequest('{"jsonrpc":"2.0","method":"session.ping"}');
    expect(parsed).toMatchObject({
      ok: false,
      error: { data: { path: "id", message: "a request without an id is never executed: give it one" } },
    });
  });

  it("may be nested up to the limit, and half a million brackets do no harm", () => {
    expect(parseRequest(`{"jsonrpc":"2.0","id":1,"method":"m","params":${nested(LIMITS.depth - 1)}}`).ok).toBe(true);
    expect(
      parseRequest(`{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":${"[".repeat(250_000)}${"]".repeat(250_000)}}}`)
        .ok,
    ).toBe(false);
  });

  it("may use a name in several objects, and hold what looks like members inside of texts", () => {
    const params = {
      a: { name: "x" },
      b: [{ name: '{"name":1,"name":2}' }, { name: "\\" }],
      c: { name: '"', "\\": 1, '"': 2 },
      name: ",",
    };
    const parsed = parseRequest(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "m", params }));
    expect(parsed).toEqual({ ok: true, request: { id: 1, method: "m", params } });
  });

  it("is taken as it is wherever it names no member twice, and refused as soon as it does, anywhere", () => {
    const isIn = (value: unknown): value is Record<string, unknown> =>
      typeof value === "object" && value !== null && !Array.isArray(value);
    const objects = (value: unknown): readonly Record<string, unknown>[] =>
      typeof value !== "object" || value === null
        ? []
        : [...(isIn(value) ? [value] : []), ...Object.values(value).flatMap(objects)];
    const text = (value: unknown, twice: unknown): string => {
      if (Array.isArray(value)) return `[${value.map((one) => text(one, twice)).join(",")}]`;
      if (!isIn(value)) return JSON.stringify(value);
      const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}:${text(one, twice)}`);
      return `{${[...members, ...(value === twice ? members.slice(0, 1) : [])].join(" , ")}}`;
    };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(), (value, at) => {
        const all = objects(value).filter((one) => Object.keys(one).length > 0);
        expect(repeatedMember(text(value, undefined))).toBeUndefined();
        if (all.length > 0) expect(repeatedMember(text(value, all[at % all.length]))).toBeDefined();
      }),
    );
  });

  it("never makes the reader throw", () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => typeof parseRequest(text).ok === "boolean"));
  });
});
