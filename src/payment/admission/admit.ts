import type { Minor } from "../../kit/money.ts";
import { type Granted, granted, nameOf, type PaymentName, refused } from "../fact/refusal.ts";
import type { StartRequest } from "../fact/request.ts";

/**
 * A payment or start under way, whose outcome is not known: a second one of its order might charge the customer twice.
 */
export interface BookEntry {
  readonly reference: string;
  readonly register: string;
  readonly terminal: string;
  readonly order: string | undefined;
  readonly amount: Minor;
  readonly currency: string;
}

export interface TerminalAtStart {
  readonly state: "ready" | "offline" | "out-of-service";
  readonly reason: string | undefined;
  readonly heldBy: PaymentName | undefined;
  readonly accepts: readonly ("chip" | "contactless" | "stripe" | "keyed")[];
}

const ENTRY: Readonly<Record<"chip" | "contactless" | "magstripe" | "manual", TerminalAtStart["accepts"][number]>> = {
  chip: "chip",
  contactless: "contactless",
  magstripe: "stripe",
  manual: "keyed",
};

const ENTRY_MODES = ["chip", "contactless", "magstripe", "manual"] as const;

/** A typed number proves no card: keyed entry is allowed only if the register names `manual` in `entryModes`. */
export function interfacesFor(
  entryModes: StartRequest["entryModes"],
  accepts: TerminalAtStart["accepts"],
): TerminalAtStart["accepts"] {
  const wanted = entryModes?.map((mode) => ENTRY[mode]);
  return accepts.filter((one) => (wanted === undefined ? one !== "keyed" : wanted.includes(one)));
}

/**
 * `undecided` lists payments of all registers. Only those of `register` count, because `order` and `despite` refer to
 * its own payments.
 */
export function admit(
  request: StartRequest,
  register: string,
  terminal: TerminalAtStart,
  undecided: readonly BookEntry[],
): Granted<{ readonly warnings: readonly string[] }> {
  const isFree = request.type === "REGISTRATION";
  if (isFree && request.amount !== 0)
    return refused("invalid-amount", "a REGISTRATION takes no money: leave amount out", "fix-request", "amount");
  if (request.amount === 0 && !isFree)
    return refused("invalid-amount", "amount must be more than zero", "fix-request", "amount");
  return (
    terminalRefusal(request, terminal) ??
    orderRefusal(request, register, undecided) ??
    granted({ warnings: warningsFor(request, register, undecided) })
  );
}

export function admitWithoutTerminal(
  request: Remote,
  register: string,
  undecided: readonly BookEntry[],
): Granted<{ readonly warnings: readonly string[] }> {
  if (request.amount === 0) return refused("invalid-amount", "amount must be more than zero", "fix-request", "amount");
  return orderRefusal(request, register, undecided) ?? granted({ warnings: warningsFor(request, register, undecided) });
}

type Remote = Pick<StartRequest, "amount" | "currency" | "order" | "despite">;

function terminalRefusal(request: StartRequest, terminal: TerminalAtStart): Granted<never> | undefined {
  if (terminal.state === "out-of-service") {
    return refused(
      "terminal-out-of-service",
      `terminal ${request.terminal}: ${terminal.reason ?? "out of service"}`,
      "call-support",
    );
  }
  if (terminal.state === "offline") {
    return refused("terminal-offline", `terminal ${request.terminal}: ${terminal.reason ?? "not connected"}`, "retry");
  }
  if (interfacesFor(request.entryModes, terminal.accepts).length === 0) {
    const modes = ENTRY_MODES.filter((mode) => terminal.accepts.includes(ENTRY[mode]));
    return refused(
      "unsupported",
      `terminal ${request.terminal} reads ${modes.join(", ")} only: change entryModes`,
      "fix-request",
      "entryModes",
    );
  }
  if (terminal.heldBy === undefined || request.queue) return undefined;
  const { reference } = terminal.heldBy;
  return refused(
    "terminal-busy",
    `terminal ${request.terminal} is busy with reference "${reference}"`,
    "retry",
    undefined,
    terminal.heldBy,
  );
}

function orderRefusal(request: Remote, register: string, undecided: readonly BookEntry[]): Granted<never> | undefined {
  const { order, despite } = request;
  if (order === undefined)
    return despite === undefined
      ? undefined
      : refused("not-allowed", "despite names a payment of an order: say order too", "fix-request", "despite");
  const ofOrder = undecided.filter((entry) => entry.register === register && entry.order === order);
  if (despite !== undefined && !ofOrder.some(({ reference }) => reference === despite)) {
    const message = `despite: reference "${despite}" is not an undecided payment of this order: ask payment.get how it ended, and leave despite out`;
    return refused("not-allowed", message, "fix-request", "despite");
  }
  const other = ofOrder.find(({ reference }) => reference !== despite);
  if (other === undefined) return undefined;
  const message = `reference "${other.reference}" of the same order is not decided yet: wait for it, or name it in despite`;
  return refused("undecided-payment", message, "retry", undefined, nameOf(other));
}

function warningsFor(request: Remote, register: string, undecided: readonly BookEntry[]): readonly string[] {
  if (request.order !== undefined) return [];
  return undecided
    .filter(
      (entry) => entry.register === register && entry.amount === request.amount && entry.currency === request.currency,
    )
    .map((entry) => `undecided-payment: reference "${entry.reference}" of the same amount is not decided yet`);
}
