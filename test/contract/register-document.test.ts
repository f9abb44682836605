import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { PaymentsDesk } from "../../src/engine/service/payment-service.ts";
import { isReasonCode, type ReasonCode, reasonOf } from "../../src/payment/outcome/reason.ts";
import { LIMITS } from "../../src/register/rpc/limits.ts";
import { methods } from "../../src/register/rpc/method-registry.ts";
import { refusalCodes } from "../../src/register/rpc/rpc.ts";
import { type DocumentShop, openDocumentShop } from "./document-shop.ts";
import { pageKey } from "./page-key.ts";
import type { Talk } from "./talk.ts";

const text = readFileSync(new URL("../../docs/register-api.md", import.meta.url), "utf8");

const frameSchema = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: z.int().optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.json()).optional(),
  result: z.json().optional(),
  error: z.json().optional(),
});
type DocumentFrame = z.infer<typeof frameSchema>;

const frames = [...text.matchAll(/^```json\n([\s\S]*?)\n```$/gm)].map(([, frame]) =>
  frameSchema.parse(JSON.parse(frame ?? "")),
);

/** What a document cannot know: ids, cursors, times and codes that are made afresh. */
const MADE_AFRESH =
  /^(pay_[0-9a-f]{24}|[0-9a-f]{32}|n0|[2-9A-HJ-NP-Z]{6}|[\w-]{86}|\d{4}-\d\d-\d\dT[\d:.]+Z|posbridge-support-brg_1-\d{14}\.json)$/;

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

/** Of a data folder that was put back the document tells before a technician looks. */
const proof = { register: "till-2", at: "2026-02-03T08:00:00.000Z", last: 180, number: 196, generation: 0 };

/** Calls that are not answered at once, and one after which its socket may not be silent. */
const WAITS: ReadonlyMap<string, number> = new Map([
  ["session.challenge", 100],
  ["link.create", 15_000],
  ["payment.resolve", 120_000],
]);

/**
 * Sends what the document sends; by the time of the next frame a card was in the terminal and is out again, or the
 * customer has paid by his link.
 */
async function play(
  open: Talk<PaymentsDesk>,
  { params, ...request }: DocumentFrame,
  { counter: { clock, journal }, page, registers }: DocumentShop,
): Promise<void> {
  if (request.method === "registers.refuse") await askFrom(page());
  if (request.method === "rollbacks.list") await journal.cursors.notice(proof);
  // By then the technician has waited for the whole unknown window.
  if (request.method === "payment.resolve") await clock.advance(2_400_000);
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

/** Exhaustive by its type: a reason that is added has to be written about. */
const REASONS: Readonly<Record<ReasonCode, "DECLINED" | "CANCELLED" | "FAILED">> = {
  "host-declined": "DECLINED",
  "soft-declined": "DECLINED",
  "wrong-pin": "DECLINED",
  "pin-tries-exceeded": "DECLINED",
  "insufficient-funds": "DECLINED",
  "expired-card": "DECLINED",
  "blocked-card": "DECLINED",
  "card-declined": "DECLINED",
  "card-not-stored": "DECLINED",
  "partial-refused": "DECLINED",
  "operator-declined": "DECLINED",
  "customer-cancelled": "CANCELLED",
  "register-cancelled": "CANCELLED",
  "card-timeout": "CANCELLED",
  "pin-timeout": "CANCELLED",
  "card-removed": "CANCELLED",
  "bridge-restarted": "CANCELLED",
  "signature-refused": "CANCELLED",
  "card-left-in": "FAILED",
  "card-not-supported": "FAILED",
  "chip-required": "FAILED",
  "chip-unreadable": "FAILED",
  "fallback-not-allowed": "FAILED",
  "terminal-lost": "FAILED",
  "terminal-tampered": "FAILED",
  "terminal-misconfigured": "FAILED",
  "terminal-refused": "FAILED",
  "keys-missing": "FAILED",
  "retry-blocked": "DECLINED",
  "gateway-unreached": "FAILED",
  "gateway-refused": "FAILED",
  "channel-not-set-up": "FAILED",
  "outcome-unknown": "FAILED",
  "completion-lost": "FAILED",
  "offline-approved": "FAILED",
  "amount-mismatch": "FAILED",
  "already-refunded": "FAILED",
  "void-refused": "FAILED",
  "reversal-refused": "FAILED",
  "operator-reversed": "FAILED",
  "request-expired": "FAILED",
  "link-expired": "FAILED",
};

describe("docs/register-api.md", () => {
  it("shows what the bridge really says: its requests are sent in order, and its replies and notifications come", async () => {
    const shop = openDocumentShop();
    const { counter } = shop;
    const open = shop.socket();
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
    expect(frames.length).toBeGreaterThan(40);
    expect(open.problems).toEqual([]);
    expect(counter.broken).toEqual([]);
  });

  it("gives every request a number of its own, so that its reply can be told", () => {
    const ids = frames.filter(({ method }) => method !== undefined).flatMap(({ id }) => id ?? []);
    expect(ids).toEqual(ids.map((_, at) => at + 1));
  });

  it.each(methods.map(({ name }) => name))("shows a call of %s and its reply", (name) => {
    const asked = frames.flatMap(({ id, method }) => (method === name && id !== undefined ? [id] : []));
    const replied = frames.flatMap(({ id, result }) => (id !== undefined && result !== undefined ? [id] : []));
    expect(asked.filter((id) => replied.includes(id))).not.toEqual([]);
  });

  it.each(Object.entries(REASONS))("says what to do about %s", (code, outcome) => {
    const row = text
      .split("\n")
      .find(
        (line) =>
          line.startsWith("| `") && line.includes(`\`${code}\``) && / \| (DECLINED|CANCELLED|FAILED) \| /.test(line),
      );
    if (!isReasonCode(code)) throw new TypeError(`${code} is no reason of this bridge`);
    // "wait" is what an open payment is told; a final one has nothing to wait for.
    const advice = reasonOf(code).advice === "wait" ? "retry" : reasonOf(code).advice;
    expect(row).toMatch(new RegExp(` \\| ${outcome} \\| \`${advice}\` \\|$`));
  });

  it("names every refusal, and the limits as they are", () => {
    for (const code of refusalCodes) expect(text.split(`\`${code}\``).length, code).toBeGreaterThan(2);
    expect(text).toContain(`-32001 to ${-32000 - refusalCodes.length}`);
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
