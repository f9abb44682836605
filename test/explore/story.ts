import type { Fact } from "../../src/payment/fact/fact.ts";
import { mend } from "./healing.ts";
import { firstState, type Kind } from "./kinds.ts";
import { movesOf } from "./moves.ts";
import { isQuiet, type News, type System } from "./system.ts";

/** Steps of the mending part that are told; a loop shows itself in fewer. */
const MENDING_TOLD = 12;

/**
 * A path as people read it: each step with its input, the facts that it made, and what is owed after it. `mending`: and
 * how it goes on once everything works again.
 */
export function tell(kind: Kind, path: readonly number[], mending: boolean): readonly string[] {
  const lines: string[] = [];
  let state = firstState(kind);
  lines.push(`    at first ${shown(state)}`);
  for (const [step, index] of path.entries()) {
    const move = movesOf(state)[index];
    if (move === undefined)
      return [...lines, `    there is no move ${index} at step ${step + 1}: the path belongs to another version`];
    const before = state;
    try {
      state = move.go();
    } catch (cause) {
      return [...lines, `${heading(step + 1, move.name, before, before)}`, `       throws ${String(cause)}`];
    }
    lines.push(heading(step + 1, move.name, before, state), ...state.news.map(newsLine), `       ${shown(state)}`);
  }
  return mending ? [...lines, "    from here on everything works:", ...mended(state)] : lines;
}

function mended(from: System): readonly string[] {
  const lines: string[] = [];
  let state = from;
  for (let step = 1; step <= MENDING_TOLD; step += 1) {
    const move = movesOf(state).find(({ cost }) => cost === 0);
    const next = mend(state);
    if (move === undefined || next === undefined)
      return [...lines, `    ${isQuiet(state) ? "and all is at rest" : "and nothing goes on"}`];
    lines.push(heading(step, move.name, state, next), ...next.news.map(newsLine), `       ${shown(next)}`);
    state = next;
  }
  return lines;
}

function heading(step: number, name: string, before: System, after: System): string {
  const passed = after.now - before.now;
  return `${String(step).padStart(4)}. ${name}${passed >= 1000 ? ` (${Math.round(passed / 1000)} s later)` : ""}`;
}

function newsLine({ party, what, facts }: News): string {
  return `       ${party === 0 ? "" : "original: "}${what.on} -> ${facts.length === 0 ? "no fact" : facts.map(factName).join(", ")}`;
}

function factName(fact: Fact): string {
  switch (fact.fact) {
    case "attempt-intended":
      return `intended ${fact.operation.paymentType} ${fact.operation.merchantTransactionId}`;
    case "attempt-answered":
      return `answered ${fact.answer.is}`;
    case "attempt-searched":
      return `searched ${fact.result.is === "found" ? fact.result.bookings.map(({ paymentType, answer }) => `${paymentType} ${answer.is}`).join(" + ") : fact.result.is}`;
    case "ending":
      return `ending ${fact.outcome} ${fact.reason}`;
    case "concluded":
      return `concluded ${fact.outcome}`;
    case "issuer-told":
      return `issuer-told ${fact.issuer.verdict}`;
    case "card-finished":
      return `card-finished ${fact.verdict}`;
    case "collecting":
      return fact.ask === undefined ? fact.fact : `${fact.fact} again (${fact.ask.again})`;
    default:
      return fact.fact;
  }
}

function shown({ parties, ledger, now }: System): string {
  const owing = parties.map(({ begun }) =>
    begun.map(
      ({ effect, at }) =>
        `${effect.key.replace(/\b(\d{6,})\b/, (time) => inSeconds(Number(time) - now))}${at === "open" ? "" : ` (${at})`}`,
    ),
  );
  const rows = ledger.map(({ type, id, state, takenBack, givenBack, amount }) => {
    const stands = takenBack ? "taken back" : givenBack > 0 ? `${state}, ${givenBack} of it given back` : state;
    return `${type} ${id} ${amount} ${stands}`;
  });
  return `owed: ${owing.map((keys) => keys.join(", ") || "nothing").join(" | original: ")}; ledger: ${rows.join(", ") || "empty"}`;
}

function inSeconds(ms: number): string {
  return ms <= 0 ? "now" : `in ${Math.round(ms / 1000)} s`;
}
