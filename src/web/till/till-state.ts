import type { PaymentView } from "../../payment/view-schema.ts";
import type { Asked, Title } from "./asked.ts";
import { isBankAsked } from "./picture.ts";
import type { Refusal } from "./refusal.ts";
import type { Cancellation, Known, Standing } from "./standing.ts";
import { titleOf } from "./words.ts";

/** One payment on the till's table. */
export interface Entry {
  /** The till's own reference, or the id of another register's payment. */
  readonly name: string;
  readonly title: Title;
  readonly standing: Standing;
  /** The sent request; undefined: only looked up. */
  readonly asked: Asked | undefined;
  readonly warnings: readonly string[];
  readonly cancellation: Cancellation | undefined;
  /** The reason why the last press had no effect. */
  readonly trouble: string | undefined;
}

export interface Till {
  /** Oldest first. */
  readonly entries: readonly Entry[];
  /** Name of the entry shown in large. */
  readonly front: string | undefined;
  /** The till's latest payments, newest first. */
  readonly recent: readonly PaymentView[];
  /** The reason why nothing could be sent. */
  readonly trouble: string | undefined;
}

export type TillEvent =
  | { readonly is: "asked"; readonly asked: Asked }
  | {
      readonly is: "answered";
      readonly name: string;
      readonly payment: PaymentView;
      readonly warnings: readonly string[];
    }
  | { readonly is: "refused"; readonly name: string; readonly refusal: Refusal }
  | { readonly is: "unheard" | "not-accepted" | "elsewhere"; readonly name: string }
  | { readonly is: "changed"; readonly payment: PaymentView }
  | { readonly is: "found"; readonly name: string; readonly payment: PaymentView }
  | {
      readonly is: "cancelled";
      readonly name: string;
      readonly cancellation: Cancellation;
      readonly payment: PaymentView;
    }
  | { readonly is: "opened"; readonly payment: PaymentView; readonly name: string }
  | { readonly is: "shown" | "slow"; readonly name: string }
  | { readonly is: "put-away"; readonly name: string }
  | { readonly is: "recent"; readonly payments: readonly PaymentView[] }
  | { readonly is: "trouble"; readonly name: string | undefined; readonly text: string };

const RECENT = 8;

/** Requests kept from the last visit; their state is queried once the bridge is connected. */
export function tillAfterReload(kept: readonly Asked[]): Till {
  const entries = kept.map((asked) => entryOf(asked, { is: "unheard" }));
  return {
    entries,
    front: entries.findLast(({ asked }) => asked?.isLaidAside === undefined)?.name,
    recent: [],
    trouble: undefined,
  };
}

function entryOf(asked: Asked, standing: Standing): Entry {
  return {
    name: asked.params.reference,
    title: asked.title,
    standing,
    asked,
    warnings: [],
    cancellation: undefined,
    trouble: undefined,
  };
}

export function nextTill(till: Till, event: TillEvent): Till {
  switch (event.is) {
    case "asked":
      return begun(till, entryOf(event.asked, { is: "sending" }));
    case "answered":
      return withPayment(changedEntry(till, event.name, { warnings: event.warnings }), event.payment, event.name);
    case "refused":
      return changedEntry(till, event.name, { standing: { is: "refused", refusal: event.refusal } });
    case "unheard":
    case "not-accepted":
    case "elsewhere":
      return changedEntry(till, event.name, ({ standing }) =>
        standing.is !== "known"
          ? { standing: { is: event.is } }
          : event.is === "unheard"
            ? {}
            : { standing: { is: "elsewhere" } },
      );
    case "changed":
      return withPayment(till, event.payment);
    case "found":
      return withPayment(till, event.payment, event.name);
    case "cancelled":
      return withPayment(
        changedEntry(till, event.name, { cancellation: event.cancellation, trouble: undefined }),
        event.payment,
        event.name,
      );
    case "opened":
      return withPayment(opened(till, event.payment, event.name), event.payment, event.name);
    case "shown":
      return { ...till, front: event.name };
    case "slow":
      return changedEntry(till, event.name, ({ standing }) =>
        standing.is === "known" ? { standing: { ...standing, isSlow: true } } : {},
      );
    case "put-away":
      return putAway(till, event.name);
    case "recent":
      return event.payments.reduce((so, payment) => withPayment(so, payment), till);
    case "trouble":
      return event.name === undefined
        ? { ...till, trouble: event.text }
        : changedEntry(till, event.name, { trouble: event.text });
  }
}

function begun(till: Till, entry: Entry): Till {
  const others = till.entries.filter(({ name }) => name !== entry.name);
  return { ...till, entries: [...others, entry], front: entry.name, trouble: undefined };
}

/** A payment from the history; it stays on the table only while shown. */
function opened(till: Till, payment: PaymentView, name: string): Till {
  if (till.entries.some((entry) => entry.name === name)) return { ...till, front: name };
  const entry: Entry = {
    name,
    title: titleOf(payment),
    standing: { is: "known", payment },
    asked: undefined,
    warnings: [],
    cancellation: undefined,
    trouble: undefined,
  };
  return begun(till, entry);
}

/** An unfinished payment is only laid aside, until somebody has seen its end. */
function putAway(till: Till, name: string): Till {
  const entry = till.entries.find((each) => each.name === name);
  const stays = entry !== undefined && entry.asked !== undefined && !isOver(entry.standing);
  return {
    ...till,
    front: undefined,
    trouble: undefined,
    entries: stays ? till.entries : till.entries.filter((each) => each.name !== name),
  };
}

/** Nobody has to wait any longer. An unwanted link counts as decided before it stops being payable. */
export function isOver(standing: Standing): boolean {
  switch (standing.is) {
    case "known": {
      const { state, decision, reason } = standing.payment;
      return state === "FINAL" || (decision === "not-approved" && reason?.advice !== "wait");
    }
    case "sending":
    case "unheard":
      return false;
    case "not-accepted":
    case "elsewhere":
    case "refused":
      return true;
  }
}

function changedEntry(till: Till, name: string, change: Partial<Entry> | ((entry: Entry) => Partial<Entry>)): Till {
  const entries = till.entries.map((entry) =>
    entry.name === name ? { ...entry, ...(typeof change === "function" ? change(entry) : change) } : entry,
  );
  return { ...till, entries };
}

/** `name`: the answered entry. Otherwise found by id, or by register and reference. */
function withPayment(till: Till, payment: PaymentView, name?: string): Till {
  const entries = till.entries.map((entry) =>
    entry.name === name || isOf(entry, payment) ? { ...entry, standing: newer(entry.standing, payment) } : entry,
  );
  return { ...till, entries, recent: recentWith(till.recent, payment) };
}

function isOf({ standing, asked }: Entry, { id, reference, register }: PaymentView): boolean {
  return standing.is === "known"
    ? standing.payment.id === id
    : asked?.params.reference === reference && asked.register === register;
}

/** The view with the later `updatedAt` is newer, and FINAL stays. Lists omit a link's QR code. */
function newer(standing: Standing, payment: PaymentView): Standing {
  if (standing.is !== "known") return { is: "known", payment };
  const before = standing.payment;
  if (before.updatedAt > payment.updatedAt || (before.state === "FINAL" && payment.state !== "FINAL")) return standing;
  const qr = payment.link?.qr ?? before.link?.qr;
  return {
    is: "known",
    payment: payment.link === undefined || qr === undefined ? payment : { ...payment, link: { ...payment.link, qr } },
    ...(isPinAskedAgain(standing, payment) && { wasPinWrong: true }),
    ...(standing.isSlow && isBankAsked(payment) && { isSlow: true }),
  };
}

/** The terminal shows the wrong PIN only briefly; the till shows it until the PIN is typed. */
function isPinAskedAgain({ payment: before, wasPinWrong }: Known, { prompt }: PaymentView): boolean {
  return prompt?.code === "ENTER_PIN" && (before.prompt?.code === "WRONG_PIN" || wasPinWrong === true);
}

function recentWith(recent: readonly PaymentView[], payment: PaymentView): readonly PaymentView[] {
  const before = recent.find(({ id }) => id === payment.id);
  if (before !== undefined && before.updatedAt > payment.updatedAt) return recent;
  const others = recent.filter(({ id }) => id !== payment.id);
  return [payment, ...others].toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1)).slice(0, RECENT);
}
