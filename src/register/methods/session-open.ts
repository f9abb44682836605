import { z } from "zod";
import type { Ran } from "../rpc/call-result.ts";
import { type Opening, type RegisterMethod, refuse, type Session } from "../rpc/method.ts";
import { firstProblem } from "../rpc/problem.ts";
import { openResultSchema } from "../rpc/schemas.ts";

const params = z.strictObject({
  token: z.string().min(1).max(512),
  api: z.int().positive().optional(),
  after: z
    .string()
    .regex(/^[0-9]{1,64}$/, "must be a cursor as this bridge told it: digits")
    .optional(),
  client: z.strictObject({ name: z.string().min(1).max(128), version: z.string().min(1).max(64) }).optional(),
});

/** The only version of the register API. */
export const API_VERSION = 1;

async function open(
  { tokens, payments }: Opening,
  { token, api, after, client }: z.output<typeof params>,
): Promise<Ran<z.input<typeof openResultSchema>> & { opened?: Session }> {
  if (api !== undefined && api !== API_VERSION)
    return refuse(
      "unsupported",
      `api ${api} is not spoken here: leave it out or say ${API_VERSION}`,
      "fix-request",
      "api",
    );
  const session = await tokens.find(token);
  if (session === undefined)
    return refuse(
      "unauthorized",
      "the token is not known: make one with `posbridge tokens create`",
      "fix-config",
      "token",
    );
  if ("damaged" in session) return refuse("unauthorized", session.damaged, "fix-config", "token");
  const { register, scopes } = session;
  // Stored before the answer, so that a start sent right behind this call finds it.
  if (after !== undefined) await payments.shown({ register, all: false }, after);
  return {
    ok: true,
    value: { register, scopes: [...scopes], cursor: await payments.cursor() },
    opened: { ...session, ...(client && { client: programOf(client) }) },
  };
}

/** The register's program for people: no control characters, and nothing that could hide a card number or a token. */
function programOf({ name, version }: { readonly name: string; readonly version: string }): string {
  const isPlain = [name, version].every(
    (text) => /^[A-Za-z0-9 ._()+/-]{1,50}$/.test(text) && text.replaceAll(/[^0-9]/g, "").length < CARD_DIGITS,
  );
  return isPlain && !/pbt_|[A-Za-z0-9_-]{32}/.test(`${name} ${version}`) ? `${name} ${version}` : "(unusual name)";
}

/** The shortest card number (ISO/IEC 7812). */
const CARD_DIGITS = 12;

export const sessionOpen: RegisterMethod = {
  name: "session.open",
  summary: "Tells the bridge who is calling. Every other call is refused before it.",
  scopes: [],
  params,
  result: openResultSchema,
  session: "opens",
  call: async (opening, given) => {
    const parsed = params.safeParse(given);
    return parsed.success ? open(opening, parsed.data) : { ok: false, invalid: firstProblem(parsed.error, given) };
  },
};
