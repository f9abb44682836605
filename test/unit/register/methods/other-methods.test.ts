import "@point-of-sale/receipt-printer-encoder";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../../src/register/rpc/limits.ts";
import { methods } from "../../../../src/register/rpc/method-registry.ts";
import { AT, fakePayments, terminal } from "../../../contract/fake-payments.ts";
import { errorOf, opened, sale, type Talk } from "../../../contract/talk.ts";

async function sold(count = 1): Promise<Talk> {
  const open = await opened();
  for (let at = 1; at <= count; at += 1) await open.call("payment.start", { ...sale, reference: `r-${at}` });
  return open;
}

describe("the other methods", () => {
  it("answer as their result schemas say", async () => {
    const open = await sold();
    const key = { reference: "r-1" };
    for (const [name, params] of [
      ["session.ping", {}],
      ["terminals.list", {}],
      ["terminals.test", { terminal: "till-1" }],
      ["payment.get", key],
      ["payment.wait", key],
      ["payment.list", {}],
      ["payment.receipt", { ...key, copy: "customer", format: "json" }],
      ["payment.receipt", { ...key, copy: "merchant", format: "text" }],
      ["payment.cancel", key],
      ["events.subscribe", {}],
    ] as const) {
      const { result } = await open.call(name, params);
      const method = methods.find((each) => each.name === name);
      expect(method?.result.safeParse(result).error?.issues, name).toBeUndefined();
    }
  });

  it("tell the bridge's time", async () => {
    expect((await (await opened()).call("session.ping")).result).toEqual({ now: AT });
  });

  it("list terminals field by field", async () => {
    expect((await (await opened()).call("terminals.list")).result).toEqual({
      terminals: [{ ...terminal, paired: false }],
    });
  });

  it.each(["payment.get", "payment.wait", "payment.cancel"])(
    "%s takes a reference or an id, exactly one",
    async (name) => {
      const open = await sold();
      expect((await open.call(name, { id: "pay_1" })).error).toBeUndefined();
      expect(errorOf(await open.call(name, {}))).toMatchObject({ code: -32602, path: "reference" });
      expect(errorOf(await open.call(name, { reference: "r-1", id: "pay_1" }))).toMatchObject({
        code: -32602,
        path: "reference",
      });
      expect(errorOf(await open.call(name, { reference: "r-9" }))).toMatchObject({ code: -32009, is: "not-found" });
    },
  );

  it("show a register its own payments only, and all of them with payments:all", async () => {
    const payments = fakePayments();
    await (await opened("till-token", payments)).call("payment.start", sale);
    expect(errorOf(await (await opened("other-token", payments)).call("payment.get", { id: "pay_1" })).is).toBe(
      "not-found",
    );
    expect((await (await opened("office-token", payments)).call("payment.get", { id: "pay_1" })).result).toMatchObject({
      payment: { register: "till" },
    });
  });

  it("wait for at most five minutes", async () => {
    const open = await sold();
    expect(errorOf(await open.call("payment.wait", { reference: "r-1", timeoutMs: LIMITS.waitMs + 1 }))).toMatchObject({
      code: -32602,
      path: "timeoutMs",
    });
    expect(errorOf(await open.call("payment.wait", { reference: "r-1", until: "tomorrow" }))).toMatchObject({
      code: -32602,
      path: "until",
    });
  });

  it("tell what a cancellation came to", async () => {
    const open = await sold();
    expect((await open.call("payment.cancel", { reference: "r-1" })).result).toMatchObject({
      cancellation: "accepted",
      payment: { outcome: "CANCELLED" },
    });
    expect((await open.call("payment.cancel", { reference: "r-1" })).result).toMatchObject({
      cancellation: "already-final",
    });
  });

  it("list newest first, in pages", async () => {
    const open = await sold(3);
    const first = (await open.call("payment.list", { limit: 2 })).result;
    expect(first).toMatchObject({ payments: [{ reference: "r-3" }, { reference: "r-2" }], next: "2" });
    const second = (await open.call("payment.list", { limit: 2, after: "2" })).result;
    expect(second).toMatchObject({ payments: [{ reference: "r-1" }] });
    expect(second).not.toHaveProperty("next");
  });

  it.each([
    ["limit", 0],
    ["limit", 501],
    ["from", "yesterday"],
    ["to", "2026-03-01"],
    ["outcome", "LOST"],
    ["open", "yes"],
  ])("refuse %s %s in a list", async (path, value) => {
    expect(errorOf(await (await opened()).call("payment.list", { [path]: value }))).toMatchObject({
      code: -32602,
      path,
    });
  });

  it("give receipts in four formats, and say which languages and printers there are", async () => {
    const open = await sold();
    const receipt = (params: object) => open.call("payment.receipt", { reference: "r-1", copy: "customer", ...params });
    const amount = { key: "amount", label: "Betrag", value: "12,34 EUR" };
    expect((await receipt({ format: "text" })).result).toEqual({
      receipt: expect.stringMatching(/^Amount {27}12\.34 EUR$/m),
    });
    expect((await receipt({ format: "json", language: "de-AT" })).result).toMatchObject({
      receipt: { lines: expect.arrayContaining([amount]) },
    });
    expect((await receipt({ format: "html" })).result).toEqual({ receipt: expect.stringMatching(/^<!doctype html>/) });
    const printer = { model: "epson-tm-t20iii", cut: "full", drawer: true };
    expect((await receipt({ format: "escpos", printer })).result).toEqual({
      receipt: expect.stringMatching(/^G0[A-Za-z0-9+/]+=*$/),
    });
    expect(errorOf(await receipt({ format: "text", language: "zh" }))).toMatchObject({
      is: "unsupported",
      path: "language",
    });
    expect(errorOf(await receipt({ format: "text", printer }))).toMatchObject({ is: "unsupported", path: "printer" });
    expect(errorOf(await receipt({ format: "escpos", columns: 49 }))).toMatchObject({
      is: "unsupported",
      path: "columns",
    });
    expect(errorOf(await receipt({ format: "escpos", printer: { model: "typewriter" } }))).toMatchObject({
      code: -32602,
      path: "printer.model",
    });
    expect(errorOf(await receipt({ format: "text", code: "a\u001bb" }))).toMatchObject({ code: -32602, path: "code" });
    expect(errorOf(await receipt({ format: "text", code: "x".repeat(301) }))).toMatchObject({
      code: -32602,
      path: "code",
    });
    expect(errorOf(await receipt({ format: "text", columns: 23 }))).toMatchObject({ code: -32602, path: "columns" });
    expect(errorOf(await receipt({ format: "text", columns: 81 }))).toMatchObject({ code: -32602, path: "columns" });
    expect(errorOf(await receipt({ format: "pdf" }))).toMatchObject({ code: -32602, path: "format" });
  });
});
