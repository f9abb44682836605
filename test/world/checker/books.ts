import type { Evidence, Post, Row } from "./evidence.ts";

/**
 * The checkers' own arithmetic of the gateway's ledger, and their own reading of its result codes: a mistake in the
 * product's or the sandbox's tables shows here.
 */

/** Codes with which this gateway moves money (gateway-facts 1.1, 1.2). */
const MOVES_MONEY = /^(000\.000\.|000\.100\.1|000\.400\.0|000\.400\.100)/;
/** Half failed: the booking stands because the gateway could not take it back. Money is held, and it is no approval. */
const HALF_FAILED = "000.400.030";
/** The gateway did less than it was asked for. */
export const IN_PART = "000.400.040";
/**
 * Replies that leave open what became of the request: time-outs, pending, duplicates, throttling, errors of the system.
 */
const UNCERTAIN =
  /^(900\.(?!100\.310)|999\.|600\.1|000\.200|000\.400\.030|800\.400\.5|100\.400\.500|800\.1[1-3]0\.|200\.200\.106|800\.[5-8]00\.|700\.400\.580)/;

export function moves(row: Row): boolean {
  return MOVES_MONEY.test(row.code);
}

/** An approval by issuer and gateway, as opposed to money that is only held. */
export function approves(row: Row): boolean {
  return moves(row) && row.code !== HALF_FAILED;
}

/** What one booking and all that refers to it come to. */
export interface Standing {
  readonly root: Row;
  /** Left of it after reversals and refunds. */
  readonly net: number;
  /** Taken from the cardholder for good. */
  readonly captured: number;
}

/** Every booking of these rows that ever moved money: what is left of it. */
export function standings(rows: readonly Row[]): readonly Standing[] {
  return rows.filter((row) => BOOKS.includes(row.type) && moves(row)).map((root) => standingOf(root, rows));
}

const BOOKS: readonly string[] = ["PA", "DB", "CD", "RG"];

function standingOf(root: Row, rows: readonly Row[]): Standing {
  const sum = (of: string, type: string): number =>
    rows
      .filter((row) => row.of === of && row.type === type && moves(row))
      .reduce((total, { amount }) => total + amount, 0);
  const captures = rows.filter((row) => row.of === root.id && row.type === "CP" && moves(row));
  const taken = captures.reduce((total, capture) => total + capture.amount - sum(capture.id, "RV"), 0);
  const refunded = captures.reduce((total, capture) => total + sum(capture.id, "RF"), sum(root.id, "RF"));
  const net = root.amount - sum(root.id, "RV") - refunded;
  return { root, net, captured: root.type === "DB" ? net : taken };
}

/**
 * The gateway's own time-out, within which "not there" proves nothing: the contract's unknownWindowMs as this world
 * configures it.
 */
export const UNKNOWN_WINDOW_MS = 1_800_000;
/** What the way there and back and the pause between two queries may take off it. */
const SLACK_MS = 10_000;

/** When queries could first have shown the booking, counted from the moment at which its request left. */
function hiddenFor(row: Row, posts: readonly Post[]): number {
  return row.visibleAt - sentAt(row, posts);
}

/**
 * When the request of a booking left; a booking that the customer made by a link came of his own request, and at once.
 */
export function sentAt(row: Row, posts: readonly Post[]): number {
  return (
    posts.find(({ request, type }) => type !== LINK && request !== undefined && request === row.request)?.sentAt ??
    row.at
  );
}

/** The request that makes a link. */
const LINK = "link";

/** Nobody could see it for the whole window: calling it "not there" was right (truth 4). */
export function wasHiddenForTheWindow(row: Row, posts: readonly Post[]): boolean {
  return hiddenFor(row, posts) >= UNKNOWN_WINDOW_MS - SLACK_MS;
}

/**
 * Why a request of this kind may not follow the earlier ones, or undefined where it may: PA, DB and CD never twice, CP
 * and RF only where the one before is known to have come to nothing.
 */
export function repetition(next: Post, { posts, rows }: Evidence): string | undefined {
  const earlier = posts.filter((post) => post !== next && !(post.answer?.is === "not-sent"));
  const once = [...BOOKS, LINK];
  if (once.includes(next.type)) {
    const open = earlier.find((post) => once.includes(post.type) && !asksAgain(post, rows));
    return open && `a second ${next.type} was posted although the first ${answerText(open)}`;
  }
  const rivals = RIVALS[next.type] ?? [];
  const before = earlier.filter((post) => rivals.includes(post.type) && post.of === next.of);
  for (const post of before) {
    const row = rows.find(({ request, type }) => request === post.request && type === post.type);
    const booked =
      row !== undefined &&
      moves(row) &&
      !rows.some((undone) => undone.of === row.id && undone.type === "RV" && moves(undone));
    const isForTheRest = next.type === "RF" && row?.code === IN_PART && leftOf(next.of, rows) > 0;
    if (booked && !isForTheRest && next.sentAt > row.visibleAt && !wasHiddenForTheWindow(row, posts))
      return `${next.type} was posted although ${post.type} was booked before`;
    const waited = next.sentAt - post.sentAt >= UNKNOWN_WINDOW_MS - SLACK_MS;
    if (next.type === post.type && isUncertain(post) && row === undefined && !waited)
      return `${next.type} was posted again ${next.sentAt - post.sentAt} ms after one whose outcome is not known`;
  }
  return undefined;
}

/** Of what was taken, after what reversals and refunds gave back. */
function leftOf(id: string | undefined, rows: readonly Row[]): number {
  const sum = (some: readonly Row[]): number => some.filter(moves).reduce((total, { amount }) => total + amount, 0);
  return (
    sum(rows.filter((row) => row.id === id)) -
    sum(rows.filter(({ of, type }) => of === id && (RIVALS["RF"] ?? []).includes(type)))
  );
}

/** Money that would go the same way twice: capture after capture, refund after refund, refund after reversal. */
const RIVALS: Readonly<Record<string, readonly string[]>> = { CP: ["CP"], RF: ["RF", "RV"] };

/**
 * The issuer said no and wants the cardholder asked again: a wrong PIN, or a soft decline, as the reply said or as
 * queries show it.
 */
function asksAgain({ answer, request }: Post, rows: readonly Row[]): boolean {
  if (rows.some((row) => row.request === request && ASKS_AGAIN.includes(row.code))) return true;
  return (
    answer?.is === "code" &&
    (ASKS_AGAIN.includes(answer.code) || ["1A", "65", "70", "55"].includes(answer.acquirer ?? ""))
  );
}

/** Wrong PIN; the issuer wants the cardholder authenticated (gateway-facts 1.3). */
const ASKS_AGAIN: readonly string[] = ["800.100.166", "300.100.100"];

function isUncertain({ answer }: Post): boolean {
  return answer?.is !== "code" || UNCERTAIN.test(answer.code);
}

function answerText({ answer }: Post): string {
  if (answer === undefined) return "has no answer yet";
  return answer.is === "code" ? `was answered with ${answer.code}` : `is ${answer.is}`;
}
