import { z } from "zod";
import type { TokenRights } from "../ports.ts";
import type { Ran } from "../rpc/call-result.ts";
import { type Opening, type RegisterMethod, refuse, type Session } from "../rpc/method.ts";
import { firstProblem } from "../rpc/problem.ts";
import { openResultSchema, publicKeySchema, signatureSchema } from "../rpc/schemas.ts";

const params = z.strictObject({
  token: z
    .string()
    .min(1)
    .max(512)
    .describe("From `posbridge tokens create`. Or else `key` and `signature`.")
    .optional(),
  key: publicKeySchema.describe("The register's own key, after pairing.").optional(),
  signature: signatureSchema.describe("Made with that key for this socket.").optional(),
  api: z.int().positive().describe("The version that you speak: 1.").optional(),
  after: z
    .string()
    .regex(/^[0-9]{1,64}$/, "must be a cursor as this bridge told it: digits")
    .describe("The last cursor that you were told. It shows whether the data folder lost payments.")
    .optional(),
  client: z
    .strictObject({
      name: z.string().min(1).max(128).describe("Its name."),
      version: z.string().min(1).max(64).describe("Its version."),
    })
    .describe("Your program, for the audit.")
    .optional(),
});

/** The only version of the register API. */
export const API_VERSION = 1;

type Rights = Ran<TokenRights>;
type Params = z.output<typeof params>;

/** The rights of the token, or of the paired key that signed for this socket. */
async function rightsOf({ tokens, introduction }: Opening, { token, key, signature }: Params): Promise<Rights> {
  if (token === undefined) {
    if (key === undefined)
      return { ok: false, invalid: { path: "token", message: "or key must be given, one of the two" } };
    if (signature === undefined) return { ok: false, invalid: { path: "signature", message: "is missing" } };
    return introduction.prove(key, signature);
  }
  const other = key === undefined ? "signature" : "key";
  if (key !== undefined || signature !== undefined)
    return { ok: false, invalid: { path: other, message: "does not go with token: send one of the two" } };
  const found = await tokens.find(token);
  if (found === undefined)
    return refuse(
      "unauthorized",
      "the token is not known: make one with `posbridge tokens create`",
      "fix-config",
      "token",
    );
  return "damaged" in found ? refuse("unauthorized", found.damaged, "fix-config", "token") : { ok: true, value: found };
}

async function open(
  opening: Opening,
  given: Params,
): Promise<Ran<z.input<typeof openResultSchema>> & { opened?: Session }> {
  const { api, after, client } = given;
  if (api !== undefined && api !== API_VERSION)
    return refuse(
      "unsupported",
      `api ${api} is not spoken here: leave it out or say ${API_VERSION}`,
      "fix-request",
      "api",
    );
  const rights = await rightsOf(opening, given);
  if (!rights.ok) return rights;
  const session = rights.value;
  const { payments } = opening;
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
  summary: "Opens the session, by a token or by a paired key and its signature. Other calls are refused before it.",
  notes: [
    "Call it as soon as the socket is open. A socket without a session is closed after 15 s, or after 5 s of silence. While others crowd the port, the oldest socket without a session gives way (1013: connect again).",
    "Send as `after` the cursor that you were told last, by a change, a subscription or a session. Keep it with your sales, so that it survives a restart of the till.",
    "The session opens whatever `after` says. If the data folder lost what you sold, every register's payments are refused with `data-folder-rolled-back` until a technician confirms.",
  ],
  scopes: [],
  params,
  result: openResultSchema,
  session: "opens",
  call: async (opening, given) => {
    const parsed = params.safeParse(given);
    return parsed.success ? open(opening, parsed.data) : { ok: false, invalid: firstProblem(parsed.error, given) };
  },
};
