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

/** A journal that cannot be written is tried again this often; until then nothing that depends on the facts runs. */
const UNWRITABLE_RETRY_MS = 1000;
/** And a person is told at the first failure and after so many more. */
const UNWRITABLE_TOLD_EVERY = 60;

/** One payment's own queue of inputs: the only way in, one after another. */
export interface Mailbox {
  readonly id: string;
  payment(): Payment;
  prompt(): Prompt | undefined;
  /** Number of the newest durable fact. */
  cursor(): number;
  /**
   * The payment's own time, epoch milliseconds: the wall clock when this process took it up, and from then on what really went by. A wall clock that is set, by a person or
   * by the network, neither hurries nor halts a payment.
   */
  now(): number;
  put(what: Happening): void;
  /** The same, resolved once the input was taken: its facts are durable. */
  ask(what: Happening): Promise<void>;
  /** The same for a person who waits: false where the journal cannot be written, and the input is taken only once it can. */
  askNow(what: Happening): Promise<boolean>;
  show(prompt: Prompt | undefined): void;
  /** Sealed card data, held in memory only, from the card's reading until no request can need it any more; a PIN that comes later is laid to it. */
  seal(sealed: SealedCard): void;
  sealed(): SealedCard | undefined;
  /** An effect broke in a way this program does not foresee. */
  fail(cause: unknown): void;
  /** No effect starts any more; what is durable stays for the next start. */
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
  /** How the names of this payment's requests begin (engine/ports.ts, Journal); absent: by chance. */
  readonly nameBegins?: NameBegins | undefined;
  readonly alarms: Alarms;
  /** Whether a card is seen in that terminal's slot. */
  readonly isCardIn: (terminal: string) => boolean;
  /** Begins an effect; the returned function is called when it is not owed any more. */
  readonly perform: (mailbox: Mailbox, effect: Owed) => Cancel;
  /** The journal has taken these facts, also those of a mailbox that was stopped meanwhile. */
  readonly appended: (step: Appended) => void;
  readonly changed: (mailbox: Mailbox, before: Payment) => void;
  readonly settled: (mailbox: Mailbox) => void;
  /** This payment cannot go on in this process: a defect of ours, or a journal that is gone. What is durable is picked up by the next start. */
  readonly broken: (mailbox: Mailbox, cause: unknown) => void;
}

interface Input {
  readonly what: Happening;
  /** Called once its facts are durable, and each time when the journal would not have them. */
  readonly heard: (isDurable: boolean) => void;
}

/** What changes in the life of one mailbox. */
interface State {
  readonly ports: MailboxPorts;
  readonly mailbox: Mailbox;
  readonly inputs: Input[];
  /** Effects that are owed and were begun, by their keys. */
  readonly running: Map<string, Cancel>;
  /** Payment's own time less the monotonic clock. */
  readonly epoch: number;
  payment: Payment;
  cursor: number;
  prompt: Prompt | undefined;
  sealed: SealedCard | undefined;
  /** The input that is being taken. */
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

/** The shell's one rule: take the next input, decide, make the facts durable, evolve, run what is owed and not yet running. */
async function take(state: State, what: Happening): Promise<void> {
  const { ports, mailbox, payment } = state;
  const began = ports.clock.monotonic();
  const at = Math.max(mailbox.now(), payment.updatedAt);
  const fresh = { merchantTransactionId: newMerchantTransactionId(ports.random, ports.nameBegins?.(payment.accepted)), sequenceNumber: ports.sequence.next() };
  const facts = decide(payment, { at, fresh, what });
  ports.sequence.use(facts);
  if (facts.length > 0) await durable(state, facts, at, began);
  // With more inputs waiting, what is owed now may not be owed any more in a moment.
  if (!state.stopped && state.inputs.length === 0) runOwed(state);
}

/** Returns once the facts are durable and told, or the mailbox was stopped before the journal took them. */
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

/** A card is being read, or waits for its request, or for the answer that may ask for its PIN. */
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

/** Once it is decided that nothing will be approved, a late word of the terminal does not ask for a PIN any more. */
function isShowable({ ending }: Payment, prompt: Prompt | undefined): boolean {
  return ending === undefined || prompt === undefined || prompt.code === "NOT_APPROVED" || prompt.code === "REMOVE_CARD";
}
