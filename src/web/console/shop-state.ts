import type { PaymentView } from "../../payment/view-schema.ts";
import type { Tone } from "../design/tone.ts";
import type { Check, KnownTerminal } from "./known-terminal.ts";
import { hrefOf } from "./route.ts";
import { stateSentence, terminalCheck } from "./terminal-words.ts";

/** Known data about the shop's state. */
export interface Known {
  readonly terminals: readonly KnownTerminal[] | undefined;
  /** Open payments. `isStuck`: the outcome is unknown. */
  readonly open: readonly { readonly id: string; readonly isStuck: boolean }[] | undefined;
  readonly checks: readonly Check[] | undefined;
}

/** One point for the technician's attention. */
interface Point {
  readonly tone: Exclude<Tone, "good">;
  readonly text: string;
  readonly href: string;
}

export interface Verdict {
  readonly tone: Tone | undefined;
  readonly headline: string;
  readonly points: readonly Point[];
}

/** The shop's overall state, problems first. */
export function verdictOf({ terminals, open, checks }: Known): Verdict {
  const stuck = open?.filter(({ isStuck }) => isStuck) ?? [];
  const points: readonly Point[] = [
    ...(terminals ?? []).flatMap(terminalPoint),
    ...(terminals?.length === 0
      ? [{ tone: "bad" as const, text: "No terminal is set up.", href: hrefOf({ at: "pair" }) }]
      : []),
    ...(checks ?? []).flatMap(checkPoint),
    ...(stuck.length === 0
      ? []
      : [{ tone: "unknown" as const, text: stuckText(stuck.length), href: hrefOf({ at: "open" }) }]),
  ].toSorted((a, b) => Number(a.tone !== "bad") - Number(b.tone !== "bad"));
  const isWorst = points.some(({ tone }) => tone === "bad");
  if (isWorst) return { tone: "bad", headline: "This shop needs help", points };
  if (points.length > 0) return { tone: "unknown", headline: "Something wants a look", points };
  if (terminals === undefined) return { tone: undefined, headline: "Looking at the shop…", points };
  return { tone: "good", headline: "This shop is all right", points };
}

function stuckText(count: number): string {
  return count === 1
    ? "The outcome of one payment is not known yet."
    : `The outcome of ${count} payments is not known yet.`;
}

function terminalPoint({ id, label, state, reason }: KnownTerminal): readonly Point[] {
  if (state === "ready" || state === "busy") return [];
  return [
    {
      tone: "bad",
      text: stateSentence(`Terminal ${label ?? id}`, state, reason),
      href: hrefOf({ at: "terminal", id }),
    },
  ];
}

/** Terminals are read every few seconds, checks rarely, so a terminal's state comes only from the list. */
export function checksNow(
  checks: readonly Check[] | undefined,
  terminals: readonly KnownTerminal[] | undefined,
): readonly Check[] | undefined {
  if (checks === undefined || terminals === undefined) return checks;
  const first = checks.findIndex(isOfTerminals);
  const at = first < 0 ? checks.length : first;
  return [...checks.slice(0, at), ...judged(terminals), ...checks.slice(at).filter((check) => !isOfTerminals(check))];
}

function isOfTerminals({ name }: Check): boolean {
  return name === "terminals" || name.startsWith("terminal ");
}

function judged(terminals: readonly KnownTerminal[]): readonly Check[] {
  if (terminals.length === 0)
    return [
      {
        name: "terminals",
        state: "warn",
        text: "No terminal is set up.",
        fix: "Add one to the configuration file, or pair one.",
      },
    ];
  return terminals.map(terminalCheck);
}

/** Checks of terminals are omitted, because the terminal list reports them. */
function checkPoint(check: Check): readonly Point[] {
  if (check.state === "ok" || isOfTerminals(check)) return [];
  return [{ tone: check.state === "fail" ? "bad" : "unknown", text: check.text, href: hrefOf({ at: "checks" }) }];
}

/** A gateway silent for this long is more than slow. */
const SILENT_MS = 15_000;

/** Whether the outcome of a payment is unknown, or work is left after its end. */
export function isStuck({ state, updatedAt }: Pick<PaymentView, "state" | "updatedAt">, now: number): boolean {
  switch (state) {
    case "RESOLVING":
    case "REVERSING":
    case "FINAL":
      return true;
    case "AUTHORIZING":
    case "COMPLETING":
      return now - Date.parse(updatedAt) > SILENT_MS;
    case "CREATED":
    case "QUEUED":
    case "AWAITING_CARD":
      return false;
  }
}

/** The summary of a shop without problems. */
export function goodWords({ terminals = [], open = [], checks }: Known): string {
  const ready = terminals.length === 1 ? "The terminal works" : `All ${terminals.length} terminals work`;
  const paying =
    open.length === 0
      ? "no payment is open"
      : open.length === 1
        ? "one payment is under way"
        : `${open.length} payments are under way`;
  return checks?.every(({ state }) => state === "ok") !== true
    ? `${ready}, and ${paying}.`
    : `${ready}, ${paying}, and every check is ok.`;
}

/** Failures first, then warnings. */
export function inOrder(checks: readonly Check[]): readonly Check[] {
  const rank = { fail: 0, warn: 1, ok: 2 } as const;
  return checks.toSorted((a, b) => rank[a.state] - rank[b.state]);
}

/** Terminals are current; the rest dates from the check. */
export function checkedWords(checks: readonly Check[]): string {
  return checks.some(isOfTerminals) ? "Terminals as they are now; the rest checked" : "Checked";
}

/** "gateway-credentials" as a title. */
export function checkTitle(name: string): string {
  const words = name.replaceAll("-", " ");
  return name.startsWith("terminal ")
    ? `Terminal ${name.slice("terminal ".length)}`
    : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
