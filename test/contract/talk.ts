import { z } from "zod";
import type { SocketFacts } from "../../src/register/pairing/introduction.ts";
import type { Place } from "../../src/register/pairing/texts.ts";
import type { Pairing, Payments } from "../../src/register/ports.ts";
import { type Connection, openConnection } from "../../src/register/rpc/connection.ts";
import { changeSchema, errorSchema, type WireError } from "../../src/register/rpc/schemas.ts";
import type { SocketEvent } from "../../src/register/rpc/socket-event.ts";
import type { Technician } from "../../src/register/technician.ts";
import { createVirtualClock, type VirtualClock } from "../support/virtual-clock.ts";
import { fakePairing } from "./fake-pairing.ts";
import { AT, type FakePayments, fakePayments } from "./fake-payments.ts";
import { BRIDGE_KEY, type FakeRegisters, fakeRegisters } from "./fake-registers.ts";
import { fakeTechnician } from "./fake-technician.ts";

const frameSchema = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.int(), z.string(), z.null()]).optional(),
  result: z.record(z.string(), z.json()).optional(),
  error: errorSchema.optional(),
  method: z.string().optional(),
  params: z.json().optional(),
});
export type Frame = z.infer<typeof frameSchema>;

/** One connection without a network: what it was told and what it said. */
export interface Talk<P extends Payments = FakePayments> {
  readonly payments: P;
  readonly clock: VirtualClock;
  readonly connection: Connection;
  readonly frames: Frame[];
  readonly closes: { readonly code: number; readonly reason: string }[];
  readonly problems: string[];
  /** What an audit would be told. */
  readonly events: SocketEvent[];
  /** `reading: false` stands for a reader that is too slow, `waiting` for the bytes that he has not taken. */
  readonly reader: { reading: boolean; waiting: number };
  say(message: unknown): void;
  /** Sends a call and gives its answer. */
  call(method: string, params?: unknown): Promise<Frame>;
  changes(): z.infer<typeof changeSchema>[];
}

export function talk(payments: FakePayments = fakePayments(), technician: Technician = fakeTechnician()): Talk {
  const clock = createVirtualClock(Date.parse(AT));
  return talkTo({ payments, technician }, clock, () => clock.settle());
}

/**
 * Before any payments and what stands beside them; `turn` lets them get on with a call, and is taken at most so many
 * times.
 */
export function talkTo<P extends Payments>(
  {
    payments,
    technician,
    pairing = fakePairing(),
    registers: given,
    at = {},
  }: {
    readonly payments: P;
    readonly technician: Technician;
    readonly pairing?: Pairing;
    readonly registers?: FakeRegisters;
    readonly at?: Partial<SocketFacts>;
  },
  clock: VirtualClock,
  turn: () => Promise<void>,
  turns = 20,
): Talk<P> {
  const registers = given ?? fakeRegisters(clock);
  const frames: Frame[] = [];
  const closes: { code: number; reason: string }[] = [];
  const problems: string[] = [];
  const events: SocketEvent[] = [];
  const reader = { reading: true, waiting: 0 };
  let last = 0;
  const self: Talk<P> = {
    payments,
    clock,
    frames,
    closes,
    problems,
    events,
    reader,
    connection: openConnection(
      {
        payments,
        pairing,
        technician,
        tokens: registers.tokens,
        registers: registers.registers,
        key: BRIDGE_KEY,
        clock,
        bridge: { name: "posbridge", version: "0.1.0", id: "b1" },
        environment: "test",
        socket: { nonce: "n0", place: HERE, isLocal: true, from: "127.0.0.1:50000", ...at },
        audit: (event) => void events.push(event),
        problem: (error, where) => problems.push(`${where}: ${String(error)}`),
      },
      {
        send: (text) => {
          frames.push(frameSchema.parse(JSON.parse(text)));
          return reader.reading;
        },
        close: (code, reason) => closes.push({ code, reason }),
        admit: () => true,
        keep: () => undefined,
        waiting: () => reader.waiting,
      },
    ),
    say: (message) => self.connection.receive(typeof message === "string" ? message : JSON.stringify(message)),
    call: async (method, params) => {
      last += 1;
      const id = last;
      self.say({ jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) });
      for (let taken = 0; taken < turns && !frames.some((frame) => frame.id === id); taken += 1) await turn();
      const answers = frames.filter((frame) => frame.id === id);
      if (answers.length !== 1 || answers[0] === undefined) throw new Error(`${method} had ${answers.length} answers`);
      return answers[0];
    },
    changes: () =>
      frames.filter(({ method }) => method === "payment.changed").map(({ params }) => changeSchema.parse(params)),
  };
  return self;
}

/** Where a program of this machine stands. */
export const HERE: Place = { origin: "none", address: "ws://127.0.0.1:7717" };

/** A talk whose session is open. */
export async function opened(token = "till-token", payments?: FakePayments, technician?: Technician): Promise<Talk> {
  const open = talk(payments, technician);
  await open.call("session.open", { token });
  return open;
}

export const sale = { reference: "r-1", type: "SALE", terminal: "till-1", currency: "EUR", amount: "12.34" };

/** The error of a frame, for comparing. */
export function errorOf(
  frame: Frame,
): Pick<WireError, "code"> &
  Pick<WireError["data"], "path"> & { readonly is: string | undefined; readonly advice: string | undefined } {
  const { error } = frame;
  return { code: error?.code ?? 0, is: error?.data.code, advice: error?.data.advice, path: error?.data.path };
}
