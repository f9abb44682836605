import type { z } from "zod";
import { jsonReply, type Reply, type SandboxRequest } from "../exchange.ts";

/** Requires a JSON content type: a web page's form cannot send it without a preflight. */
export function withBody<T, R extends Reply | Promise<Reply>>(
  request: SandboxRequest,
  schema: z.ZodType<T>,
  run: (body: T) => R,
): R | Reply {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") return problem(415, "content-type must be application/json");
  const parsed = schema.safeParse(jsonOf(request.body));
  if (parsed.success) return run(parsed.data);
  const issues = parsed.error.issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.message}`);
  return problem(400, issues.join("; "));
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

export function problem(status: number, message: string): Reply {
  return jsonReply(status, { error: message });
}
