import type { Sealed } from "../../card/card-data.ts";
import { type Cancel, type Clock, sleep } from "../../kit/clock.ts";
import { newMerchantTransactionId } from "../../kit/ids.ts";
import type { Random } from "../../kit/random.ts";
import { decide, evolve, type Fact, type Happening, isSettled, type Owed, owed } from "../../payment/machine.ts";
import { hasToPost, type Payment } from "../../payment/state.ts";
import { isSamePrompt, type Prompt } from "../../payment/view.ts";
import type { Sequence } from "../gateway/sequence.ts";
import { type Alarms, JournalBroken, JournalUnwritable, type NameBegins } from "../ports.ts";
import { promptAfter } from "../terminal/prompt-after.ts";
import { alarmed } from "./alarms.ts";
import type { Appended } from "./appended.ts";
import type { Commits } from "./ordered-commits.ts";
import { rowOf } from "./payment-row.ts";

/** Delay before retrying a failed journal write. Nothing that depends on the facts runs meanwhile. */
const UNWRITABLE_RETRY_MS = 1000;
/** The alarm is raised at the first failure, and again after this many retries. */
const UNWRITABLE_TOLD_EVERY = 60;

/** A payment's own queue of inputs, processed one after another. No other way changes the payment. */
export interface Mailbox {
  readonly id: string;
  payment(): Payment;
  prompt(): Prompt | undefined;
  /** Number of the newest durable fact. */
  cursor(): number;
  /**
   * The payment's time, epoch milliseconds: the wall clock at loading plus monotonic time since. Setting the wall clock
   * neither hurries nor halts a payment.
   */
  now(): number;
  put(what: Happening): void;
  /** As `put`; resolves once the facts of the input are durable. */
  ask(what: Happening): Promise<void>;
  /** As `ask`, for a waiting caller. False: the journal cannot be written, and the input stays queued. */
  askNow(what: Happening): Promise<boolean>;
  show(prompt: Prompt | undefined): void;
  /** Keeps sealed card data in memory only, until no request can need it. A later PIN is added. */
  seal(sealed: SealedCard): void;
  sealed(): SealedCard | undefined;
  /** Reports an unforeseen error of an effect. */
  fail(cause: unknown): void;
  /** Starts no more effects; the next start continues from the durable facts. */
  stop(): void;
}

export interface SealedCard {
  readonly sred?: Sealed | undefined;
  readonly pin?: Sealed | undefined;
}

export interface MailboxPorts {
  readonly commits: Commits;
  readonly clock: Clock;
  readonly random: Random;
  readonly sequence: Sequence;
  /** Start of the names of this payment's requests (engine/ports.ts, Journal); absent: random names. */
  readonly nameBegins?: NameBegins | undefined;
  readonly alarms: Alarms;
  /** Whether the terminal reports a card in its slot. */
  readonly isCardIn: (terminal: string) => boolean;
  /** Starts an effect; the returned function is called when it is no longer owed. */
  readonly perform: (mailbox: Mailbox, effect: Owed) => Cancel;
  /** Called when the journal has written the facts, even if the mailbox was stopped meanwhile. */
  readonly appended: (step: Appended) => void;
  readonly changed: (mailbox: Mailbox, before: Payment) => void;
  readonly settled: (mailbox: Mailbox) => void;
  /**
   * The payment cannot continue in this process: a defect, or a lost journal. The next start continues from the durable
   * facts.
   */
  readonly broken: (mailbox: Mailbox, cause: unknown) => void;
}

interface Input {
  readonly what: Happening;
  /** Called once the facts are durable, and after each failed write. */
  readonly heard: (isDurable: boolean) => void;
}

interface State {
  readonly ports: MailboxPorts;
  readonly mailbox: Mailbox;
  readonly inputs: Input[];
  /** Started effects that are still owed, by key. */
  readonly running: Map<string, Cancel>;
  /** The payment's time minus the monotonic clock. */
  readonly epoch: number;
  payment: Payment;
  cursor: number;
  prompt: Prompt | undefined;
  sealed: SealedCard | undefined;
  current: Input | undefined;
  unwritable: boolean;
  stopped: boolean;
}

export function openMailbox(ports: MailboxPorts, payment: Payment, cursor: number): Mailbox {
  const mailbox: Mailbox = {
    id: payment.accepted.id,
    payment: () => state.payment,
    prompt: () => state.prompt,
    cursor: () => state.cursor,
    now: () => Math.floor(state.epoch + ports.clock.monotonic()),
    put: (what) => enqueue(state, { what, heard: () => undefined }),
    ask: (what) => new Promise((taken) => enqueue(state, { what, heard: (isDurable) => void (isDurable && taken()) })),
    askNow: (what) => new Promise((heard) => enqueue(state, { what, heard })),
    show: (prompt) => {
      if (state.stopped || isSamePrompt(prompt, state.prompt) || !isShowable(state.payment, prompt)) return;
      state.prompt = prompt;
      ports.changed(mailbox, state.payment);
    },
    seal: (card) => {
      if (mayNeedSealed(state.payment)) state.sealed = { ...state.sealed, ...card };
    },
    sealed: () => state.sealed,
    fail: (cause) => ports.broken(mailbox, cause),
    stop: () => {
      state.stopped = true;
      for (const cancel of state.running.values()) cancel();
      state.running.clear();
    },
  };
  const epoch = Math.max(ports.clock.now(), payment.updatedAt) - ports.clock.monotonic();
  const begun = { epoch, prompt: undefined, sealed: undefined, current: undefined, unwritable: false, stopped: false };
  const state: State = { ports, mailbox, inputs: [], running: new Map(), payment, cursor, ...begun };
  return mailbox;
}

function enqueue(state: State, input: Input): void {
  state.inputs.push(input);
  if (state.unwritable) input.heard(false);
  if (state.current === undefined) drain(state).catch((cause: unknown) => state.ports.broken(state.mailbox, cause));
}

async function drain(state: State): Promise<void> {
  for (state.current = state.inputs.shift(); state.current !== undefined; state.current = state.inputs.shift()) {
    const { what, heard } = state.current;
    if (!state.stopped) await take(state, what);
    heard(true);
  }
}

/**
 * The shell's one rule: take the next input, decide, make the facts durable, evolve, start owed effects that are not
 * running.
 */
async function take(state: State, what: Happening): Promise<void> {
  const { ports, mailbox, payment } = state;
  const began = ports.clock.monotonic();
  const at = Math.max(mailbox.now(), payment.updatedAt);
  const facts = decide(payment, { at, fresh: freshFor(ports, payment), what });
  ports.sequence.use(facts);
  if (facts.length > 0) await durable(state, facts, at, began);
  // Process waiting inputs first: they may cancel effects owed now.
  if (!state.stopped && state.inputs.length === 0) runOwed(state);
}

/** Names for the next request, if one follows. */
export function freshFor(
  { random, nameBegins, sequence }: Pick<MailboxPorts, "random" | "nameBegins" | "sequence">,
  { accepted }: Payment,
): Parameters<typeof decide>[1]["fresh"] {
  return {
    merchantTransactionId: newMerchantTransactionId(random, nameBegins?.(accepted)),
    sequenceNumber: sequence.next(),
  };
}

/** Returns once the facts are durable and published, or if the mailbox stops before that. */
async function durable(state: State, facts: readonly Fact[], at: number, began: number): Promise<void> {
  const { ports, mailbox, payment: before } = state;
  const after = facts.reduce(evolve, before);
  for (let tries = 0; !state.stopped; tries += 1) {
    try {
      return await ports.commits.append(facts, at, rowOf(after), (last) => {
        state.cursor = last;
        state.payment = after;
        state.unwritable = false;
        if (!mayNeedSealed(after)) state.sealed = undefined;
        state.prompt = promptAfter(before, after, state.prompt, ports.isCardIn(after.accepted.terminal));
        ports.appended({ before, facts, after, tookMs: ports.clock.monotonic() - began });
        if (!state.stopped) ports.changed(mailbox, before);
      });
    } catch (cause) {
      if (!(cause instanceof JournalUnwritable) || cause instanceof JournalBroken) throw cause;
      state.unwritable = true;
      if (tries % UNWRITABLE_TOLD_EVERY === 0) ports.alarms.raise({ ...alarmed(after.accepted), ...alarmOf(cause) });
      for (const { heard } of [state.current, ...state.inputs].filter((input) => input !== undefined)) heard(false);
      await sleep(ports.clock, UNWRITABLE_RETRY_MS);
    }
  }
}

/** True while a card is read, or waits for its request, or for an answer that may ask for its PIN. */
function mayNeedSealed(payment: Payment): boolean {
  const { at } = payment.terminal;
  return (
    at === "collecting" ||
    at === "asking-pin" ||
    at === "holding" ||
    (payment.ending === undefined && hasToPost(payment)) ||
    payment.attempts.at(-1)?.standing === "intended"
  );
}

function alarmOf(cause: JournalUnwritable): { readonly what: string; readonly mend: string } {
  return {
    what: `a payment waits: ${cause.message}`,
    mend: "do what it says for the journal's folder or its disk; the payment goes on by itself once the journal can be written",
  };
}

function runOwed({ ports, mailbox, running, payment }: State): void {
  const wanted = owed(payment);
  const keys = new Set(wanted.map(({ key }) => key));
  for (const [key, cancel] of running) {
    if (keys.has(key)) continue;
    running.delete(key);
    cancel();
  }
  for (const effect of wanted) {
    if (!running.has(effect.key)) running.set(effect.key, ports.perform(mailbox, effect));
  }
  if (isSettled(payment)) ports.settled(mailbox);
}

/** Once the payment cannot be approved, a late notice of the terminal must not prompt for a PIN. */
function isShowable({ ending }: Payment, prompt: Prompt | undefined): boolean {
  return (
    ending === undefined || prompt === undefined || prompt.code === "NOT_APPROVED" || prompt.code === "REMOVE_CARD"
  );
}
