import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { OutgoingRequest } from "../../../packages/sandbox/gateway/outgoing.ts";
import { bench } from "./bench.ts";
import { KEY } from "./webhook-bench.ts";

const JSON_TYPE = { "content-type": "application/json" };
const rowSchema = z.looseObject({ id: z.string(), active: z.boolean(), waiting: z.int() });

function controls() {
  const sent: OutgoingRequest[] = [];
  const own = bench({
    orderlyWebhooks: true,
    send: async (request) => {
      sent.push(request);
      return request.url.includes("down")
        ? { ok: false, problem: "connect ECONNREFUSED" }
        : { ok: true, status: request.url.includes("busy") ? 503 : 204 };
    },
  });
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = JSON_TYPE,
  ) => {
    const handled = await own.raw(
      method,
      `/sandbox/v1/${path}`,
      body === undefined ? "" : JSON.stringify(body),
      body === undefined ? {} : headers,
    );
    if (handled.is !== "reply") throw new Error("cut");
    return { status: handled.status, body: JSON.parse(handled.body) };
  };
  const add = async (hook: object = {}) =>
    rowSchema.parse((await call("POST", "webhooks", { url: "https://shop.example/hooks", key: KEY, ...hook })).body);
  return { ...own, sent, call, add };
}

describe("the calls that set webhooks up", () => {
  it("add one that is not active yet, and never show its key", async () => {
    const { call } = controls();
    const added = await call("POST", "webhooks", { url: "https://shop.example/hooks", key: KEY });
    expect(added).toMatchObject({
      status: 201,
      body: {
        url: "https://shop.example/hooks",
        wrapper: "none",
        fields: "ALL",
        events: ["PAYMENT", "REGISTRATION", "SCHEDULE", "RISK"],
        active: false,
        waiting: 0,
      },
    });
    const listed = await call("GET", "webhooks");
    expect(listed.body.webhooks).toEqual([added.body]);
    expect(JSON.stringify([added, listed])).not.toContain(KEY);
  });

  it("test one, and say what came of it", async () => {
    const { call, add } = controls();
    const [good, busy, down] = [
      await add(),
      await add({ url: "https://busy.example/" }),
      await add({ url: "https://down.example/" }),
    ];
    expect(await call("POST", `webhooks/${good.id}/test`, {})).toMatchObject({
      status: 200,
      body: { active: true, test: { status: 204 } },
    });
    expect(await call("POST", `webhooks/${busy.id}/test`, {})).toMatchObject({
      status: 200,
      body: { active: false, test: { status: 503 } },
    });
    expect(await call("POST", `webhooks/${down.id}/test`, {})).toMatchObject({
      body: { active: false, test: { problem: "connect ECONNREFUSED" } },
    });
  });

  it("remove one", async () => {
    const { call, add } = controls();
    const { id } = await add();
    expect(await call("DELETE", `webhooks/${id}`)).toEqual({ status: 200, body: { id, removed: true } });
    expect(await call("GET", "webhooks")).toEqual({ status: 200, body: { webhooks: [] } });
    for (const again of [call("DELETE", `webhooks/${id}`), call("POST", `webhooks/${id}/test`, {})])
      expect(await again).toEqual({
        status: 404,
        body: { error: `there is no webhook ${id}: GET webhooks lists them` },
      });
  });

  it.each([
    ["an address that is none", { url: "shop.example" }, "url: must be an http or https address"],
    ["an address of another kind", { url: "file:///etc/passwd" }, "url: must be an http or https address"],
    [
      "an address with a user that nobody can read",
      { url: "http://a:%E0%A4%A@shop.example/" },
      "url: must be an http or https address",
    ],
    ["a short key", { key: KEY.slice(1) }, "key: must be 64 hexadecimal digits"],
    ["a wrapping that is none", { wrapper: "xml" }, "wrapper"],
    ["fields that are none", { fields: "SOME" }, "fields"],
    ["no event", { events: [] }, "events"],
    ["an event that is none", { events: ["PAYMENTS"] }, "events.0"],
    ["a key too many", { active: true }, "active"],
  ])("refuse %s by name", async (_, hook, named) => {
    const { call, sent } = controls();
    const refused = await call("POST", "webhooks", { url: "https://shop.example/", key: KEY, ...hook });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toContain(named);
    expect(refused.body.error).not.toContain(KEY.slice(1));
    expect(sent).toEqual([]);
  });

  it("take JSON alone, as a page's form cannot send it", async () => {
    const { call, add } = controls();
    const { id } = await add();
    const form = { "content-type": "application/x-www-form-urlencoded" };
    expect(await call("POST", "webhooks", { url: "https://shop.example/", key: KEY }, form)).toMatchObject({
      status: 415,
    });
    expect(await call("POST", `webhooks/${id}/test`, {}, form)).toMatchObject({ status: 415 });
    expect(await call("PUT", "webhooks", {})).toMatchObject({ status: 404 });
  });
});

describe("what the gateway's own requests cause", () => {
  it("is told by webhook: a sale, its capture, and what is settled when the clock is moved", async () => {
    const { call, add, sent, sell, refer, fault, clock, sandbox } = controls();
    const { id } = await add();
    await call("POST", `webhooks/${id}/test`, {});
    const { body } = await sell();
    await refer(body.id, "CP", "12.34");
    await fault({ on: { paymentType: "PA" }, do: { result: "000.200.000" }, delayMs: 3_600_000 });
    await sell();
    await clock.advance(0);
    // The test, the sale, the capture, the sale that is pending.
    expect(sent).toHaveLength(4);
    sandbox.advance(3_600_000);
    await clock.advance(0);
    expect(sent).toHaveLength(5);
  });

  it("is told to its notificationUrl without any webhook", async () => {
    const { sent, post, till, fault, clock } = controls();
    await fault({ on: { paymentType: "PA" }, do: { result: "000.200.000" }, delayMs: 60_000 });
    const { body } = await post(
      "/v1/payments",
      new Map([...till.sale().fields, ["notificationUrl", "https://shop.example/status"]]),
    );
    await clock.advance(0);
    expect(sent).toEqual([]);
    await clock.advance(60_000);
    expect(sent).toMatchObject([
      { method: "POST", url: "https://shop.example/status", body: expect.stringContaining(body.id ?? "") },
    ]);
  });

  it("is not told where it was refused as such", async () => {
    const { call, add, sent, post, clock } = controls();
    const { id } = await add();
    await call("POST", `webhooks/${id}/test`, {});
    await post("/v1/payments", [["entityId", "no"]]);
    await clock.advance(0);
    expect(sent).toHaveLength(1);
  });

  it("nothing more goes out once the sandbox is stopped", async () => {
    const { call, add, sent, sell, sandbox, clock } = controls();
    const { id } = await add();
    await call("POST", `webhooks/${id}/test`, {});
    await sell();
    sandbox.stop();
    await clock.advance(3_600_000);
    expect(sent).toHaveLength(1);
  });
});
