import type { Answer, Found, SearchResult } from "../../src/payment/fact/answer.ts";
import type { SearchKey } from "../../src/payment/fact/operation.ts";
import { answer, approval, carryOut, type Ledger, type Row, ruleOf } from "./ledger.ts";
import { isSecond } from "./linking.ts";

/** One thing that a query may say, and what it left behind: pending rows may have been decided by then. */
export interface QueryOutcome {
  readonly name: string;
  readonly cost: 0 | 1;
  readonly ledger: Ledger;
  readonly result: SearchResult;
}

/** The longest that a booking may stay out of the gateway's queries: a day, and an hour of slack. */
const HIDDEN_AT_MOST_MS = 25 * 3_600_000;

/**
 * Everything that a query by that key may say now, the truth first. `icc`: whether the issuer's data is of use to
 * anybody.
 */
export function queryOutcomes(key: SearchKey, before: Ledger, now: number, icc: boolean): readonly QueryOutcome[] {
  const ledger = withOldOnesSeen(before, now);
  const mute: readonly QueryOutcome[] = [
    { name: "throttled", cost: 1, ledger, result: { is: "throttled" } },
    { name: "no answer", cost: 1, ledger, result: { is: "no-answer", description: "" } },
  ];
  const tree = treeOf(key, ledger);
  const unseen = tree.filter(
    ({ sight, at, state }) => sight !== "seen" && state !== "limbo" && now - at < HIDDEN_AT_MOST_MS,
  );
  // That a booking is hidden is one misfortune, however many queries do not show it.
  const dear = unseen.some(({ sight }) => sight === "new") ? 1 : 0;
  const hidden = unseen.length > 0 ? [look("does not see the new ones yet", dear, key, ledger, false, true)] : [];
  const shown = tree.some(({ state }) => state !== "limbo");
  const unsure = tree.some(({ state, type }) => state === "unsure" && type !== "RV")
    ? [look("is still not sure", 1, key, ledger, true, true)]
    : [];
  const bare = icc && shown ? [look("shows it without the issuer's data", 1, key, sure(ledger), true, false)] : [];
  return [
    ...truths(key, tree, ledger, now),
    ...hidden,
    ...withoutSecond(key, tree, ledger, now),
    ...withoutOwnReversal(key, ledger, now),
    ...unsure,
    ...bare,
    ...mute,
  ];
}

/** Whatever is not shown besides: what was booked so long ago is. */
function withOldOnesSeen(ledger: Ledger, now: number): Ledger {
  const isOld = ({ sight, state, at }: Row): boolean =>
    sight !== "seen" && state !== "limbo" && now - at >= HIDDEN_AT_MOST_MS;
  return ledger.some(isOld) ? ledger.map((row) => (isOld(row) ? { ...row, sight: "seen" } : row)) : ledger;
}

/** Of a request that was booked twice the first alone: each booking may be hidden for a time of its own. */
function withoutSecond(key: SearchKey, tree: Ledger, ledger: Ledger, now: number): readonly QueryOutcome[] {
  const seconds = tree.filter(
    (row) => isSecond(row) && row.sight !== "seen" && row.state !== "limbo" && now - row.at < HIDDEN_AT_MOST_MS,
  );
  if (seconds.length === 0) return [];
  const rest = ledger.filter((row) => !seconds.includes(row));
  const cost = seconds.some(({ sight }) => sight === "new") ? 1 : 0;
  const shown = look("does not see the second one yet", cost, key, rest, true, true);
  if (shown.result.is === "absent") return [];
  // In the order of the ledger, in which what refers to a booking comes after it.
  const noted = (row: Row): Row => shown.ledger.find(({ id, type }) => id === row.id && type === row.type) ?? row;
  return [
    {
      ...shown,
      ledger: ledger.map((row) => (seconds.includes(row) ? { ...row, sight: "hidden" as const } : noted(row))),
    },
  ];
}

/** What the gateway took back by itself, shown as if it stood: its own reversal comes later. */
function withoutOwnReversal(key: SearchKey, ledger: Ledger, now: number): readonly QueryOutcome[] {
  const gone = ledger.filter(
    ({ type, mtid, sight, at }) => type === "RV" && mtid === "" && sight === "new" && now - at < HIDDEN_AT_MOST_MS,
  );
  if (gone.length === 0) return [];
  const rest = ledger.filter((row) => !gone.includes(row));
  const shown = look("does not see the gateway's own reversal yet", 1, key, rest, true, true);
  return [{ ...shown, ledger: [...shown.ledger, ...gone] }];
}

/** The truth; with a row that was pending, either way that it can turn, and that it is pending still. */
function truths(key: SearchKey, tree: Ledger, ledger: Ledger, now: number): readonly QueryOutcome[] {
  const pending = tree.find(({ state }) => state === "pending");
  if (pending === undefined) return [look("shows all there is", 0, key, sure(ledger), true, true)];
  const refused = ledger.map((row) =>
    row === pending ? { ...row, state: "refused" as const, says: answer("declined", row.id) } : row,
  );
  const booked = decided(ledger, pending);
  return [
    ...(booked === undefined ? [] : [look("shows that it was approved in the end", 0, key, sure(booked), true, true)]),
    look("shows that it was declined in the end", 0, key, sure(refused), true, true),
    ...(pending.type === "RV" && now - pending.at >= PENDING_AT_MOST_MS ? [] : [stillPending(pending, key, ledger)]),
  ];
}

/** The longest that a gateway may leave a reversal undecided. */
const PENDING_AT_MOST_MS = 48 * 3_600_000;

/** What takes a booking back may take its time: no card waits for it. */
function stillPending({ type }: Row, key: SearchKey, ledger: Ledger): QueryOutcome {
  return look("shows that it is pending still", type === "RV" ? 0 : 1, key, ledger, true, true);
}

/** The ledger once what was pending is booked; undefined where there is nothing left for it to take back. */
function decided(ledger: Ledger, pending: Row): Ledger | undefined {
  if (pending.type !== "RV") return ledger.map((row) => (row === pending ? { ...row, state: "booked" } : row));
  const others = ledger.filter((row) => row !== pending);
  if (others.some(({ id, takenBack }) => id === pending.ref && takenBack)) return undefined;
  return carryOut(others, { ...pending, state: "booked" });
}

function sure(ledger: Ledger): Ledger {
  return ledger.some(({ state }) => state === "unsure")
    ? ledger.map((row) => (row.state === "unsure" ? { ...row, state: "booked" } : row))
    : ledger;
}

function look(name: string, cost: 0 | 1, key: SearchKey, ledger: Ledger, all: boolean, icc: boolean): QueryOutcome {
  const tree = treeOf(key, ledger);
  const visible = tree.filter(({ sight, state }) => state !== "limbo" && (all || sight === "seen"));
  const isRootSeen = visible.some((row) => isRoot(row, key));
  const sight = all ? ("seen" as const) : ("hidden" as const);
  const noticed = all ? visible : tree.filter((row) => row.sight === "new" && row.state !== "limbo");
  const after = noticed.some((row) => row.sight !== sight)
    ? ledger.map((row) => (noticed.includes(row) ? { ...row, sight } : row))
    : ledger;
  const bookings = isRootSeen ? visible.map((row) => found(row, icc)) : [];
  return { name, cost, ledger: after, result: bookings.length === 0 ? { is: "absent" } : { is: "found", bookings } };
}

function isRoot({ id, mtid }: Row, key: SearchKey): boolean {
  return "id" in key ? id === key.id : mtid === key.merchantTransactionId;
}

/** What was asked for and all that refers to it, directly or not. */
function treeOf(key: SearchKey, ledger: Ledger): Ledger {
  const ids = new Set<string>();
  return ledger.filter((row) => {
    const isIn = isRoot(row, key) || (row.ref !== undefined && ids.has(row.ref));
    if (isIn) ids.add(row.id);
    if (isIn && row.card !== "none") ids.add(`${row.id}-card`);
    return isIn;
  });
}

function found(row: Row, icc: boolean): Found {
  const { id, mtid, ref, type } = row;
  return {
    id,
    paymentType: type,
    ...(mtid !== "" && { merchantTransactionId: mtid }),
    ...(ref !== undefined && { referencedId: ref }),
    answer: shown(row, icc),
  };
}

function shown(row: Row, icc: boolean): Answer {
  switch (row.state) {
    case "booked":
      return approval(row, icc);
    case "refused":
      return row.says ?? answer("declined", row.id);
    case "pending":
      return answer("pending", row.id);
    case "half":
      return answer("half-reversed", row.id);
    case "limbo":
    case "unsure":
      return answer("unknown", row.id);
  }
}

/** The longest that a request may be on its way inside the gateway after its sender gave it up. */
export const LIMBO_MS = 120_000;

/** The ledgers after a reversal that was pending was carried out, although nobody asked just then. */
export function decisions(ledger: Ledger): readonly { readonly row: Row; readonly ledger: Ledger }[] {
  return ledger.flatMap((row) => {
    const after = row.type === "RV" && row.state === "pending" ? decided(ledger, row) : undefined;
    return after === undefined ? [] : [{ row, ledger: after }];
  });
}

/** The ledgers after a request that was on its way has arrived after all. */
export function landings(ledger: Ledger, now: number): readonly { readonly row: Row; readonly ledger: Ledger }[] {
  return ledger
    .filter(({ state, at }) => state === "limbo" && now - at < LIMBO_MS)
    .map((row) => {
      const others = ledger.filter((other) => other !== row);
      const operation = {
        merchantTransactionId: row.mtid,
        paymentType: row.type,
        amount: row.amount,
        entityId: "",
        ...(row.ref !== undefined && { referencedId: row.ref }),
      };
      const isCarriedOut = ruleOf(operation, others) === "carried-out";
      return {
        row,
        ledger: isCarriedOut
          ? carryOut(others, { ...row, state: "booked" })
          : [...others, { ...row, state: "refused", says: answer("refused", row.id) }],
      };
    });
}
