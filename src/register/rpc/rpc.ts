import { z } from "zod";
import type { Refusal, RefusalCode } from "../../payment/request.ts";
import type { ErrorCode, StandardCode } from "./error-meanings.ts";
import { LIMITS } from "./limits.ts";
import { firstProblem, type Problem, pathText } from "./problem.ts";
import { repeatedMember } from "./repeated-member.ts";
import type { WireError } from "./schemas.ts";

/**
 * JSON-RPC 2.0 over text frames, restricted by contract section 3: one object a frame, parameters by name, an id in
 * every request.
 */
export type RpcId = string | number;

export interface RpcRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: unknown;
}

export type RpcParse =
  | { readonly ok: true; readonly request: RpcRequest }
  | { readonly ok: false; readonly id: RpcId | null; readonly error: WireError };

const idSchema = z.union(
  [z.string().max(128), z.int()],
  "must be a string of at most 128 characters or a whole number",
);
const requestSchema = z.strictObject({
  jsonrpc: z.literal("2.0", 'must be "2.0"'),
  id: idSchema,
  method: z.string("must be a string").min(1).max(64),
  params: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())], "must be an object").optional(),
});

/**
 * JSON-RPC 2.0, 5.1: -32768 to -32000 are reserved, -32000 to -32099 of them for the server's own errors. Registers
 * should read `data.code`.
 */
const REFUSAL_NUMBERS: Readonly<Record<RefusalCode, number>> = {
  unauthorized: -32001,
  forbidden: -32002,
  "unknown-terminal": -32003,
  "terminal-busy": -32004,
  "terminal-offline": -32005,
  "terminal-out-of-service": -32006,
  "reference-reused": -32007,
  "undecided-payment": -32008,
  "not-found": -32009,
  "not-allowed": -32010,
  "invalid-amount": -32011,
  unsupported: -32012,
  "cursor-gone": -32013,
  "too-many-requests": -32014,
  "shutting-down": -32015,
  "journal-unwritable": -32016,
  "card-number-in-text": -32017,
  "gateway-unreached": -32018,
  "journal-broken": -32019,
  "refund-limit": -32020,
  "data-folder-rolled-back": -32021,
  "card-number-found": -32022,
};

export const refusalCodes: readonly string[] = Object.keys(REFUSAL_NUMBERS);

/** JSON-RPC 2.0, 5.1, and the only message to a page of a foreign origin. */
const STANDARD_NUMBERS: Readonly<Record<StandardCode, number>> = {
  "parse-error": -32700,
  "invalid-request": -32600,
  "unknown-method": -32601,
  "invalid-params": -32602,
  "internal-error": -32603,
  "origin-not-allowed": -32000,
};

/** The number of every error. */
export const ERROR_NUMBERS: Readonly<Record<ErrorCode, number>> = { ...STANDARD_NUMBERS, ...REFUSAL_NUMBERS };

function standard(
  code: StandardCode,
  message: string,
  advice: "fix-request" | "fix-config" | "call-support",
  path?: string,
): WireError {
  const data = { code, message, advice };
  return {
    code: STANDARD_NUMBERS[code],
    message,
    data: path === undefined || path === "" ? data : { ...data, path },
  };
}

const parseError = (message: string) => standard("parse-error", message, "fix-request");
const invalidRequest = (message: string, path?: string) => standard("invalid-request", message, "fix-request", path);
export const unknownMethod = () =>
  standard("unknown-method", "there is no method of that name: see GET /openrpc.json", "fix-request", "method");
export const internalError = () =>
  standard("internal-error", "the bridge failed at this call; its log says why", "call-support");

/** The only message to a page of a foreign origin; nothing about the bridge. */
export const originNotAllowed = (message: string) => standard("origin-not-allowed", message, "fix-config");

export function invalidParams({ path, message }: Problem): WireError {
  return standard("invalid-params", path === "" ? message : `${path} ${message}`, "fix-request", path);
}

export function refusalError({ code, message, advice, path: own, about, exceeded }: Refusal, path = own): WireError {
  return {
    code: REFUSAL_NUMBERS[code],
    message,
    data: { code, message, advice, ...(path !== undefined && { path }), ...about, ...exceeded },
  };
}

/** Parses one text frame. Never throws; a malformed request is returned as the error for the answer. */
export function parseRequest(text: string): RpcParse {
  const value = parseJson(text);
  if (value === undefined) return { ok: false, id: null, error: parseError("the frame is not JSON") };
  if (Array.isArray(value))
    return { ok: false, id: null, error: invalidRequest("batches are not taken: send one request a frame") };
  const shape = shapeProblem(value);
  if (shape !== undefined) return { ok: false, id: idOf(value), error: invalidRequest(shape) };
  const repeated = repeatedMember(text);
  if (repeated !== undefined)
    return { ok: false, id: repeated[0] === "id" ? null : idOf(value), error: namedTwice(repeated) };
  const parsed = requestSchema.safeParse(value);
  if (!parsed.success) return { ok: false, id: idOf(value), error: describe(firstProblem(parsed.error, value)) };
  const { id, method, params = {} } = parsed.data;
  if (Array.isArray(params))
    return {
      ok: false,
      id,
      error: invalidParams({ path: "params", message: "must be an object: parameters go by name" }),
    };
  return { ok: true, request: { id, method, params } };
}

/** A path within `params` begins there, like that of every other wrong parameter. */
function namedTwice(path: readonly (string | number)[]): WireError {
  const message = "is named twice in one object: say it once";
  const [first, ...below] = path;
  if (first === "params" && below.length > 0) return invalidParams({ path: pathText(below), message });
  return invalidRequest(`${pathText(path)} ${message}`, pathText(path));
}

function describe({ path, message }: Problem): WireError {
  if (path === "id" && message === "is missing")
    return invalidRequest("a request without an id is never executed: give it one", "id");
  return invalidRequest(path === "" ? "a frame is one JSON-RPC 2.0 request object" : `${path} ${message}`, path);
}

/** `undefined` stands for text that is not JSON: JSON itself has no such value. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function idOf(value: unknown): RpcId | null {
  const parsed = z.object({ id: idSchema }).safeParse(value);
  return parsed.success ? parsed.data.id : null;
}

/**
 * Level by level instead of recursion, so that no frame can exhaust the stack. Schemas would drop a member `__proto__`,
 * and two different requests would become equal.
 */
function shapeProblem(value: unknown): string | undefined {
  let level = [value].filter(isStructure);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > LIMITS.depth) return `nested deeper than ${LIMITS.depth} levels`;
    if (level.some((item) => Object.hasOwn(item, "__proto__"))) return "no field may have the name __proto__";
    level = level.flatMap((item) => Object.values(item).filter(isStructure));
  }
  return undefined;
}

function isStructure(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

export function replyText(id: RpcId, result: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

export function errorText(id: RpcId | null, error: WireError): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error });
}

export function notificationText(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", method, params });
}
