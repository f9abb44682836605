import type { Cancelled, PaymentView, Started } from "./api.ts";
import { createChanges } from "./changes.ts";
import type { RegisterClient } from "./client.ts";
import { CallRefused } from "./errors.ts";

export type Cancellation = Cancelled["cancellation"];

/** Makes a call on the open session, and repeats it on the next session if the connection was lost. */
export type Ask = <T>(call: (session: RegisterClient) => Promise<T>) => Promise<T>;

/** Gets changes of this register's payments. */
export interface Follower {
  changed(payment: PaymentView): void;
  reconnected(): void;
  /** No more sessions will come. */
  ended(error: Error): void;
}

/** A payment of this register: `for await` gives each change until it is FINAL. */
export interface Payment extends AsyncIterable<PaymentView> {
  readonly reference: string;
  /**
   * The payment as durably accepted. Rejects with CallRefused, the signal's reason if it was never sent, or
   * ConnectionLost if the register closed first.
   */
  readonly accepted: Promise<PaymentView>;
  /** The final payment: hand over goods on `decision: approved` only. */
  readonly final: Promise<PaymentView>;
  cancel(): Promise<Cancellation>;
}

interface FollowOptions {
  readonly ask: Ask;
  readonly reference: string;
  /** Sends the start. Absent: the payment was started earlier. */
  readonly begin: ((session: RegisterClient) => Promise<Started>) | undefined;
  readonly signal: AbortSignal | undefined;
  /** No more changes will come; with an error, the outcome was not heard. */
  over(error?: Error): void;
}

export function followPayment({ ask, reference, begin, signal, over }: FollowOptions): {
  readonly payment: Payment;
  readonly follower: Follower;
} {
  const changes = createChanges<PaymentView>();
  const accepted = Promise.withResolvers<PaymentView>();
  const final = Promise.withResolvers<PaymentView>();
  // A caller that uses only one of the two need not catch the other.
  for (const { promise } of [accepted, final]) promise.catch(() => undefined);

  const abort = (): void => void cancel().catch(() => undefined);
  const finish = (error?: Error): void => {
    changes.end(error);
    signal?.removeEventListener("abort", abort);
    over(error);
  };
  const fail = (error: unknown): void => {
    const reason = error instanceof Error ? error : new Error(String(error));
    accepted.reject(reason);
    final.reject(reason);
    finish(reason);
  };
  const hearing = createHearing(reference, (view, isFirst) => {
    changes.push(view);
    if (isFirst) accepted.resolve(view);
    if (view.state !== "FINAL") return;
    final.resolve(view);
    finish();
  });
  const look = (): Promise<void> => ask((session) => session.get({ reference })).then(hearing.answered);
  const cancel = async (): Promise<Cancellation> => {
    await accepted.promise;
    const { cancellation, payment } = await ask((session) => session.cancel({ reference }));
    hearing.answered(payment);
    return cancellation;
  };
  const run = (): Promise<void> =>
    begin === undefined ? look() : startOnce({ ask, begin, signal, look, heard: hearing.answered });
  signal?.addEventListener("abort", abort, { once: true });
  if (begin === undefined && signal?.aborted === true) abort();
  run().catch(fail);
  return {
    payment: {
      reference,
      accepted: accepted.promise,
      final: final.promise,
      cancel,
      [Symbol.asyncIterator]: () => changes[Symbol.asyncIterator](),
    },
    follower: {
      changed: hearing.changed,
      reconnected: () => void (hearing.isKnown() && look().catch(fail)),
      ended: fail,
    },
  };
}

interface Hearing {
  /** A call returned the current payment. */
  answered(view: PaymentView): void;
  /** A payment of this register changed. */
  changed(view: PaymentView): void;
  /** The bridge has answered once. */
  isKnown(): boolean;
}

/** Passes each change once and in order. Replies and reconnections may repeat a change. */
function createHearing(reference: string, hear: (view: PaymentView, isFirst: boolean) => void): Hearing {
  let last: PaymentView | undefined;
  let early: PaymentView[] = [];

  const answered = (view: PaymentView): void => {
    if (last !== undefined && (last.state === "FINAL" || view.updatedAt < last.updatedAt)) return;
    if (JSON.stringify(view) === JSON.stringify(last)) return;
    const isFirst = last === undefined;
    last = view;
    hear(view, isFirst);
    if (!isFirst) return;
    // Changes may arrive in one network chunk with the reply that accepts the payment, before the reply is handled.
    const behind = early.filter(({ id }) => id === view.id);
    early = [];
    for (const each of behind) answered(each);
  };
  const changed = (view: PaymentView): void => {
    if (view.reference !== reference) return;
    if (last === undefined) early.push(view);
    else if (view.id === last.id) answered(view);
  };
  return { answered, changed, isKnown: () => last !== undefined };
}

interface StartOptions extends Pick<FollowOptions, "ask" | "signal"> {
  readonly begin: NonNullable<FollowOptions["begin"]>;
  look(): Promise<void>;
  heard(view: PaymentView): void;
}

/** Sends the start until it is answered. After an abort, it only checks whether a sent start arrived. */
async function startOnce({ ask, begin, signal, look, heard }: StartOptions): Promise<void> {
  let isSent = false;
  const aborted = (): boolean => signal?.aborted === true;
  const start = (): Promise<PaymentView | undefined> =>
    ask(async (session) => {
      if (aborted()) return undefined;
      isSent = true;
      return (await begin(session)).payment;
    });
  const view = aborted() ? undefined : await start();
  if (view !== undefined) return heard(view);
  if (!isSent) throw signal?.reason;
  try {
    await look();
  } catch (error) {
    if (error instanceof CallRefused && error.code === "not-found") throw signal?.reason;
    throw error;
  }
}
