import { z } from "zod";
import { isoTime } from "../../../../src/kit/clock.ts";
import type { Context } from "../context.ts";
import { type Json, jsonReply, type Reply, type SandboxRequest } from "../exchange.ts";
import type { OutgoingResult } from "../outgoing.ts";
import { newHookSchema } from "../webhooks/records.ts";
import type { HookState, Webhooks } from "../webhooks/webhooks.ts";
import { problem, withBody } from "./json-body.ts";

const ONE = /^webhooks\/([0-9a-f]{1,64})$/;
const TEST_OF = /^webhooks\/([0-9a-f]{1,64})\/test$/;

/**
 * The gateway's back office for webhooks (gateway facts, 3): GET and POST webhooks, DELETE webhooks/ID, POST
 * webhooks/ID/test. Undefined: another call.
 */
export function webhookControl(
  { webhooks }: Context,
  request: SandboxRequest,
  path: string,
): Reply | Promise<Reply> | undefined {
  const { method } = request;
  const id = ONE.exec(path)?.[1];
  const tested = TEST_OF.exec(path)?.[1];
  if (method === "GET" && path === "webhooks") return jsonReply(200, { webhooks: webhooks.list().map(rowOf) });
  if (method === "POST" && path === "webhooks")
    return withBody(request, newHookSchema, (asked) => jsonReply(201, rowNamed(webhooks, webhooks.add(asked).id)));
  if (method === "DELETE" && id !== undefined)
    return webhooks.remove(id) ? jsonReply(200, { id, removed: true }) : unknown(id);
  if (method === "POST" && tested !== undefined)
    return withBody(request, z.strictObject({}), () => test(webhooks, tested));
  return undefined;
}

async function test(webhooks: Webhooks, id: string): Promise<Reply> {
  const result = await webhooks.test(id);
  return result === undefined ? unknown(id) : jsonReply(200, { ...rowNamed(webhooks, id), test: resultOf(result) });
}

function unknown(id: string): Reply {
  return problem(404, `there is no webhook ${id}: GET webhooks lists them`);
}

function rowNamed(webhooks: Webhooks, id: string): { readonly [key: string]: Json | undefined } {
  const found = webhooks.list().find(({ hook }) => hook.id === id);
  return found === undefined ? { id } : rowOf(found);
}

/** Everything except the key. */
function rowOf({ hook, waiting, last }: HookState): { readonly [key: string]: Json | undefined } {
  const { id, url, wrapper, fields, events, active, createdAt } = hook;
  return {
    id,
    url,
    wrapper,
    fields,
    events,
    active,
    createdAt: isoTime(createdAt),
    waiting,
    last: last && resultOf(last),
  };
}

function resultOf(result: OutgoingResult): Json {
  return result.ok ? { status: result.status } : { problem: result.problem };
}
