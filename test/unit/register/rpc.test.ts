import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/register/limits.ts";
import { parseRequest } from "../../../src/register/rpc.ts";

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

describe("a frame", () => {
  it("is taken when it is one request with an id and named parameters", () => {
    expect(parseRequest('{"jsonrpc":"2.0","id":7,"method":"session.ping","params":{}}')).toEqual({
      ok: true,
      request: { id: 7, method: "session.ping", params: {} },
    });
    expect(parseRequest('{"jsonrpc":"2.0","id":"a","method":"session.ping"}')).toEqual({ ok: true, request: { id: "a", method: "session.ping", params: {} } });
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
    ["is nested too deep", `{"jsonrpc":"2.0","id":1,"method":"m","params":${nested(LIMITS.depth)}}`, 1, -32600, undefined],
  ])("is refused when it %s", (_what, text, id, code, path) => {
    const parsed = parseRequest(text);
    expect(parsed.ok).toBe(false);
    if (parsed.ok) return;
    expect({ id: parsed.id, code: parsed.error.code, path: parsed.error.data.path }).toEqual({ id, code, path });
    expect(parsed.error.data.advice).toBe("fix-request");
  });

  it("may be nested up to the limit, and half a million brackets do no harm", () => {
    expect(parseRequest(`{"jsonrpc":"2.0","id":1,"method":"m","params":${nested(LIMITS.depth - 1)}}`).ok).toBe(true);
    expect(parseRequest(`{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":${"[".repeat(250_000)}${"]".repeat(250_000)}}}`).ok).toBe(false);
  });

  it("never makes the reader throw", () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => typeof parseRequest(text).ok === "boolean"));
  });
});
