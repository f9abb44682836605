import { expect, test } from "vitest";
import { z } from "zod";
import { fromHex } from "../../../src/kit/hex.ts";
import { openEnvelope } from "../../../src/webhook/envelope.ts";
import { unseal } from "../../../src/webhook/seal.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { STORED_VISA } from "./accounts-bench.ts";
import { bench } from "./bench.ts";
import { KEY } from "./webhook-bench.ts";

const toldSchema = z.looseObject({
  type: z.string(),
  payload: z.looseObject({ paymentType: z.string().optional(), referencedId: z.string().optional() }),
});
const hookSchema = z.looseObject({ id: z.string() });

test("each run of a job is told as a payment and as what its schedule did", async () => {
  const clock = createVirtualClock(Date.parse("2026-01-15T09:30:00Z"));
  const told: z.infer<typeof toldSchema>[] = [];
  const on = bench({
    clock,
    orderlyWebhooks: true,
    send: async ({ headers, body }) => {
      const opened = openEnvelope({ headers, body });
      const plain = opened.ok ? unseal(opened.sealed, fromHex(KEY)) : undefined;
      told.push(toldSchema.parse(JSON.parse(new TextDecoder().decode(plain))));
      return { ok: true, status: 200 };
    },
  });
  const control = async (path: string, body: object) => {
    const handled = await on.raw("POST", `/sandbox/v1/${path}`, JSON.stringify(body), {
      "content-type": "application/json",
    });
    return hookSchema.parse(JSON.parse(handled.is === "reply" ? handled.body : "{}"));
  };
  const { id } = await control("webhooks", { url: "https://shop.example/hooks", key: KEY });
  await control(`webhooks/${id}/test`, {});
  const { body: stored } = await on.send("/v1/registrations", STORED_VISA);
  const job = { registrationId: stored.id ?? "", amount: "9.90", currency: "EUR", paymentType: "DB", "job.month": "*" };
  const { body: scheduled } = await on.send("/scheduling/v1/schedules", job);
  await clock.advance(20 * 86_400_000);
  expect(
    told.map(({ type, payload: { paymentType, referencedId } }) => [type, paymentType, referencedId]).slice(1),
  ).toEqual([
    ["REGISTRATION", undefined, undefined],
    ["SCHEDULE", "SD", stored.id],
    ["PAYMENT", "DB", scheduled.id],
    ["SCHEDULE", "DB", scheduled.id],
  ]);
});
