import { type ConnectOptions, connectRegister, type RegisterClient } from "../../src/client/client.ts";
import type { PaymentView } from "../../src/payment/view-schema.ts";
import { realTime, type Waiting } from "../support/waiting.ts";

export interface Told {
  readonly cursor: string;
  readonly payment: PaymentView;
}

/** A register with an open session, and everything it was told. */
export interface Till {
  readonly client: RegisterClient;
  readonly waiting: Waiting;
  readonly told: readonly Told[];
  /**
   * The first change of that payment, told already or to come, that fits. Rejects, with all that was told, after
   * `withinMs` (10 s).
   */
  until(
    reference: string,
    what: string,
    fits: (payment: PaymentView, at: number) => boolean,
    withinMs?: number,
  ): Promise<PaymentView>;
  state(reference: string, state: PaymentView["state"], withinMs?: number): Promise<PaymentView>;
  /** The prompt, when it is shown for the `time`-th time (the first). */
  prompt(reference: string, code: string, time?: number): Promise<PaymentView>;
  /** Final, and for an approved sale also captured. */
  settled(reference: string, withinMs?: number): Promise<PaymentView>;
}

/** Over a real WebSocket, unless it is told another way. */
export async function openTill(
  url: string,
  token: string,
  way: Partial<Pick<ConnectOptions, "openSocket" | "clock" | "after">> = {},
  waiting = realTime,
): Promise<Till> {
  const told: Told[] = [];
  const looking = new Set<() => void>();
  const onChange = (change: Told): void => {
    told.push(change);
    for (const look of looking) look();
  };
  const client = await connectRegister({
    url,
    token,
    after: undefined,
    onChange,
    client: { name: "scenario", version: "1" },
    ...way,
  });
  const until: Till["until"] = (reference, what, fits, withinMs = 10_000) => {
    const found = Promise.withResolvers<PaymentView>();
    const look = (): void => {
      const change = told.find(({ payment }, at) => payment.reference === reference && fits(payment, at));
      if (change !== undefined) found.resolve(change.payment);
    };
    looking.add(look);
    look();
    const heard = () =>
      told.flatMap(({ payment }) => (payment.reference === reference ? [inShort(payment)] : [])).join(", ");
    const problem = () => `${reference} was not ${what} within ${withinMs} ms; told: ${heard() || "nothing"}`;
    return waiting.within(withinMs, found.promise, problem).finally(() => looking.delete(look));
  };
  /** How often, among the first `count` things told, the prompt of that payment came to be this one. */
  const times = (reference: string, code: string, count: number): number => {
    const prompts = told
      .slice(0, count)
      .flatMap(({ payment }) => (payment.reference === reference ? [payment.prompt?.code] : []));
    return prompts.filter((prompt, at) => prompt === code && prompts[at - 1] !== code).length;
  };
  return {
    ...{ client, waiting, told, until },
    state: (reference, state, withinMs) => until(reference, state, (payment) => payment.state === state, withinMs),
    prompt: (reference, code, time = 1) =>
      until(reference, code, ({ prompt }, at) => prompt?.code === code && times(reference, code, at + 1) >= time),
    settled: (reference, withinMs) => until(reference, "settled", isSettled, withinMs),
  };
}

function isSettled({ state, decision, capture }: PaymentView): boolean {
  return state === "FINAL" && (decision !== "approved" || capture !== "pending");
}

function inShort({ state, prompt, outcome, reason, capture }: PaymentView): string {
  return [state, prompt?.code, outcome, reason?.code, capture].filter((part) => part !== undefined).join(" ");
}
