import { z } from "zod";
import type { Cancel, Clock } from "../../kit/clock.ts";
import { newMerchantTransactionId } from "../../kit/ids.ts";
import type { Random } from "../../kit/random.ts";
import { within } from "../../kit/within.ts";
import type { Channel } from "../../payment/exchange.ts";
import {
  answeredBy,
  asking,
  type Deletion,
  type DeletionStatus,
  deletionSchema,
  type Granted,
  granted,
  placesToAsk,
  refused,
  statusOf,
} from "../../payment/request.ts";
import type { Caller } from "../../register/ports.ts";
import type { Alarm, Alarms, DeletionBook, Gateway, Json } from "../ports.ts";
import { JournalUnwritable } from "../ports.ts";
import { shuttingDown } from "../shell/stopping.ts";
import type { Budget } from "./query-budget.ts";

/**
 * Deletes stored cards. Each deletion is durable before the gateway request, and repeated until its outcome is known
 * (payment/stored-card/deletion.ts).
 */
export interface Deletions {
  /** Continues the deletions left undecided by the last process. */
  recover(): Promise<void>;
  /** Replies once the outcome is known, or `unknown` after 10 s. A repeated call finds the same deletion. */
  ask(caller: Caller, request: DeletionRequest): Promise<Granted<DeletionStatus>>;
  /** Sends no more requests; the next start continues open deletions. */
  stop(): void;
}

interface DeletionRequest {
  readonly reference: string;
  readonly registration: string;
}

export interface DeletionPorts {
  readonly book: DeletionBook;
  readonly gateway: Pick<Gateway, "post">;
  readonly budget: Pick<Budget, "throttled">;
  /** One channel of each entity: a card of this shop may be stored with any of them. */
  readonly channels: readonly Channel[];
  readonly clock: Clock;
  readonly random: Random;
  readonly alarms: Alarms;
  readonly hostAnswerMs: number;
}

interface Running {
  readonly registration: string;
  /** Resolves true if the deletion is durable. */
  readonly kept: Promise<boolean>;
  /** Resolves when the outcome is known. */
  readonly done: Promise<void>;
}

/** Maximum wait of a register. */
const WAIT_MS = 10_000;
/** Delay between two tries; it doubles each time. */
const FIRST_DELAY_MS = 5_000;
const MAX_DELAY_MS = 3_600_000;
/** The first alarm comes at this try, later ones each time the number of tries has doubled. */
const TOLD_FIRST = 3;

export function createDeletions(ports: DeletionPorts): Deletions {
  const running = new Map<string, Running>();
  const line = openLine(ports.clock);
  const begin = (deletion: Deletion, kept: Promise<boolean>): Running => {
    const key = keyOf(deletion);
    const done = kept
      .then((isKept) => (isKept ? carryOut(ports, deletion, line) : undefined))
      .catch((cause: unknown) =>
        raise(ports, deletion, { what: `the deletion of a stored card broke: ${String(cause)}`, mend: "call support" }),
      )
      .finally(() => running.delete(key));
    const begun = { registration: deletion.registration, kept, done };
    running.set(key, begun);
    return begun;
  };
  const beginNew = (deletion: Deletion): Running => begin(deletion, keep(ports, deletion));
  /** A deletion read from the book is durable already, and each request is written before it leaves anyway. */
  const isKept = Promise.resolve(true);
  return {
    recover: async () => {
      for (const job of await ports.book.open()) {
        const { data: deletion } = deletionSchema.safeParse(job);
        if (deletion === undefined) raiseUnreadable(ports, job);
        else begin(deletion, isKept);
      }
    },
    ask: async ({ register }, { reference, registration }) => {
      const before = await find(ports, register, reference);
      if (before === "unreadable") {
        return refused(
          "not-allowed",
          `reference "${reference}" belongs to a deletion of another version of posbridge: use a new one`,
          "fix-request",
          "reference",
        );
      }
      const going = running.get(keyOf({ register, reference }));
      if ((going ?? before ?? { registration }).registration !== registration) {
        return refused(
          "reference-reused",
          `reference "${reference}" belongs to another deletion: use a new one`,
          "fix-request",
          "reference",
        );
      }
      if (before !== undefined && statusOf(before) !== "unknown") return granted(statusOf(before));
      if (line.isStopped()) return shuttingDown;
      const { kept, done } =
        going ??
        (before === undefined
          ? beginNew(newDeletion(ports, register, { reference, registration }))
          : begin(before, isKept));
      if (!(await kept))
        return refused(
          "journal-unwritable",
          "the deletion cannot be written down, so nothing was asked of the gateway",
          "retry",
        );
      await within(ports.clock, WAIT_MS, done);
      const after = await find(ports, register, reference);
      return granted(after === undefined || after === "unreadable" ? "unknown" : statusOf(after));
    },
    stop: line.stop,
  };
}

const keyOf = ({ register, reference }: Pick<Deletion, "register" | "reference">): string =>
  JSON.stringify([register, reference]);

function newDeletion(
  { channels, clock }: DeletionPorts,
  register: string,
  { reference, registration }: DeletionRequest,
): Deletion {
  return {
    register,
    reference,
    registration,
    at: clock.now(),
    places: channels.map((channel) => ({ channel: { ...channel }, unheard: 0 })),
  };
}

async function find(
  { book }: DeletionPorts,
  register: string,
  reference: string,
): Promise<Deletion | "unreadable" | undefined> {
  const job = await book.find(register, reference);
  return job === undefined ? undefined : (deletionSchema.safeParse(job).data ?? "unreadable");
}

const namesSchema = z.object({ register: z.string(), reference: z.string() }).catch({ register: "", reference: "" });

/** A deletion in the format of another version. It must not keep the shop closed, so it waits for that version. */
function raiseUnreadable(ports: DeletionPorts, job: Json): void {
  const what = "the deletion of a stored card cannot be read, and rests";
  raise(ports, namesSchema.parse(job), {
    what,
    mend: "install the version of posbridge that wrote it, or have the card deleted under a new reference",
  });
}

/** False if the write failed: nothing that depends on it may follow. */
async function keep({ book }: DeletionPorts, deletion: Deletion): Promise<boolean> {
  const { register, reference } = deletion;
  try {
    await book.keep({ register, reference, open: statusOf(deletion) === "unknown", job: deletion });
    return true;
  } catch (cause) {
    if (cause instanceof JournalUnwritable) return false;
    throw cause;
  }
}

/** Tries that wait for their next round, until the line is stopped. */
interface WaitingLine {
  wait(delayMs: number): Promise<void>;
  isStopped(): boolean;
  stop(): void;
}

function openLine(clock: Clock): WaitingLine {
  const timers = new Set<Cancel>();
  let stopped = false;
  return {
    wait: (delayMs) =>
      new Promise((resolve) => {
        const cancel = clock.after(delayMs, () => {
          timers.delete(cancel);
          resolve();
        });
        timers.add(cancel);
      }),
    isStopped: () => stopped,
    stop: () => {
      stopped = true;
      for (const cancel of timers) cancel();
    },
  };
}

/** Asks each channel, in rounds, until the outcome is known. A request whose write failed waits for the next round. */
async function carryOut(ports: DeletionPorts, deletion: Deletion, line: WaitingLine): Promise<void> {
  let state = deletion;
  for (let round = 1; placesToAsk(state).length > 0; round += 1) {
    if (round > 1) await line.wait(Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (round - 2)));
    for (const { channel } of placesToAsk(state)) {
      const asked = asking(state, channel.entityId);
      if (line.isStopped() || placesToAsk(state).length === 0 || !(await keep(ports, asked))) continue;
      const answer = await ports.gateway.post(orderOf(ports, channel, state.registration), ports.hostAnswerMs);
      if (answer.is === "throttled") ports.budget.throttled(channel.entityId);
      state = answeredBy(asked, channel.entityId, answer);
      // An outcome that is not durable is reported to nobody, so retry until the disk accepts it.
      while (!(await keep(ports, state))) await line.wait(FIRST_DELAY_MS);
    }
    if (line.isStopped()) return;
    if (placesToAsk(state).length > 0) tell(ports, deletion, round);
  }
}

function orderOf({ random }: DeletionPorts, channel: Channel, registration: string): Parameters<Gateway["post"]>[0] {
  const { entityId } = channel;
  const operation = {
    merchantTransactionId: newMerchantTransactionId(random),
    paymentType: "DR" as const,
    entityId,
    referencedId: registration,
  };
  return { operation, channel, device: { terminalId: "", pinEntry: false }, parameters: {} };
}

function tell(ports: DeletionPorts, deletion: Deletion, round: number): void {
  if (!Number.isInteger(Math.log2(round / TOLD_FIRST))) return;
  const what = `deleting a stored card has not succeeded after ${round} tries`;
  raise(ports, deletion, { what, mend: "look at the card in the gateway's back office; the bridge goes on trying" });
}

function raise(
  { alarms }: DeletionPorts,
  { reference, register }: Pick<Deletion, "reference" | "register">,
  alarm: Pick<Alarm, "what" | "mend">,
): void {
  alarms.raise({ reference, register, ...alarm });
}
