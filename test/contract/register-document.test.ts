import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { PaymentsDesk } from "../../src/engine/service/payment-service.ts";
import { advices, states } from "../../src/payment/view-schema.ts";
import { LIMITS } from "../../src/register/rpc/limits.ts";
import { scopes } from "../../src/register/tokens/token-name.ts";
import { type DocumentShop, openDocumentShop } from "./document-shop.ts";
import { pageKey } from "./page-key.ts";
import type { Talk } from "./talk.ts";

const pageOf = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");
const text = pageOf("register-api.md");

const frameSchema = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: z.int().optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.json()).optional(),
  result: z.json().optional(),
  error: z.json().optional(),
});
type DocumentFrame = z.infer<typeof frameSchema>;

const framesOf = (page: string): readonly DocumentFrame[] =>
  [...page.matchAll(/^```json\n([\s\S]*?)\n```$/gm)].map(([, frame]) => frameSchema.parse(JSON.parse(frame ?? "")));

/** What a document cannot know: ids, cursors, times and codes that are made afresh. */
const MADE_AFRESH = /^(pay_[0-9a-f]{24}|[0-9a-f]{32}|n0|[2-9A-HJ-NP-Z]{6}|[\w-]{86}|\d{4}-\d\d-\d\dT[\d:.]+Z)$/;

function comparable(value: unknown, name = ""): unknown {
  if (typeof value === "string") return name === "cursor" || MADE_AFRESH.test(value) ? "made afresh" : value;
  if (Array.isArray(value)) return value.map((item) => comparable(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, comparable(member, key)]));
}

/** Everything shown was said; what was said besides was left out of the document. */
function holds(said: unknown, shown: unknown): boolean {
  if (typeof shown !== "object" || shown === null) return said === shown;
  if (typeof said !== "object" || said === null) return false;
  if (Array.isArray(shown))
    return Array.isArray(said) && said.length === shown.length && shown.every((item, at) => holds(said[at], item));
  const members = new Map<string, unknown>(Object.entries(said));
  return Object.entries(shown).every(([name, member]) => holds(members.get(name), member));
}

/** A socket without a session may not be silent for long. */
const WAITS: ReadonlyMap<string, number> = new Map([["session.challenge", 100]]);

/**
 * Sends what the document sends; by the time of the next frame a card was in the terminal and is out again.
 */
async function play(
  open: Talk<PaymentsDesk>,
  { params, ...request }: DocumentFrame,
  { counter: { clock }, page, registers }: DocumentShop,
): Promise<void> {
  if (request.method === "registers.refuse") await askFrom(page());
  // Nobody but the bridge can make a cursor: what the document sends as one is the first that the bridge has told.
  const told =
    params?.["after"] === undefined
      ? {}
      : { after: z.looseObject({ cursor: z.string() }).parse(open.frames[1]?.result).cursor };
  // Codes are made afresh.
  const shown = params?.["code"] === undefined ? {} : { code: registers.pending()[0]?.code ?? "" };
  open.say({
    ...request,
    params: { ...params, ...told, ...shown, ...(request.method === "session.open" && { token: "desk-token" }) },
  });
  await clock.advance(WAITS.get(request.method ?? "") ?? 5_000);
}

/** The document's page is another socket than its register. */
const isOfPage = ({ method }: DocumentFrame): boolean =>
  method === "session.challenge" || method === "session.pair" || method === "session.paired";

/** Another page asks to be paired. */
async function askFrom(page: Talk<PaymentsDesk>): Promise<void> {
  const { key, secret, challenge } = pageKey(11);
  await page.call("session.challenge", { challenge });
  await page.call("session.pair", { name: "till-8", key, secret });
}

describe.each(["register-api.md", "pairing.md"])("docs/%s", (name) => {
  const frames = framesOf(pageOf(name));

  it("shows what the bridge really says: its requests are sent in order, and its replies and notifications come", async () => {
    const shop = openDocumentShop();
    const { counter } = shop;
    const open = shop.socket();
    if (name === "pairing.md") await open.call("session.open", { token: "desk-token" });
    let paired: Talk<PaymentsDesk> | undefined;
    let since = [0, 0];
    for (const frame of frames) {
      if (frame.id !== undefined && frame.method !== undefined) {
        if (isOfPage(frame)) paired ??= shop.page();
        since = [open.frames.length, paired?.frames.length ?? 0];
        await play(isOfPage(frame) && paired !== undefined ? paired : open, frame, shop);
      } else {
        const said = [...open.frames.slice(since[0]), ...(paired?.frames.slice(since[1]) ?? [])].map((each) =>
          comparable(each),
        );
        const isSaid = said.some((each) => holds(each, comparable(frame)));
        expect
          .soft(
            isSaid,
            `${JSON.stringify(frame)}\nwas not said; said was\n${said.map((each) => JSON.stringify(each)).join("\n")}`,
          )
          .toBe(true);
      }
    }
    expect(frames.length).toBeGreaterThan(10);
    expect(open.problems).toEqual([]);
    expect(counter.broken).toEqual([]);
  });

  it("gives every request a number of its own, so that its reply can be told", () => {
    const ids = frames.filter(({ method }) => method !== undefined).flatMap(({ id }) => id ?? []);
    expect(ids).toEqual(ids.map((_, at) => at + 1));
  });
});

describe("docs/register-api.md", () => {
  it("is read in a quarter of an hour: at most 2,800 words", () => {
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(2_800);
  });

  it.each(advices)("says what to do about the advice %s", (advice) => {
    expect(text).toMatch(new RegExp(`^\\| \`${advice}\` \\| \\S`, "m"));
  });

  it("names every scope and every state", () => {
    for (const name of [...scopes, ...states]) expect(text, name).toMatch(new RegExp(`^\\|[^|]*\`${name}\``, "m"));
  });

  it("names the limits as they are", () => {
    for (const limit of [
      LIMITS.sessions,
      LIMITS.withoutSession,
      LIMITS.withoutSessionPerAddress,
      LIMITS.inFlight,
      LIMITS.callsAtOnce,
    ])
      expect(text).toMatch(new RegExp(`\\| [^|]*${limit}[^|]* \\|`));
    for (const ms of [LIMITS.silenceMs, LIMITS.sessionMs]) expect(text).toContain(`| ${ms / 1_000} s |`);
  });
});
