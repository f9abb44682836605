import { type ConnectOptions, connectRegister, type RegisterClient } from "../../src/client/client.ts";
import { CallRefused, ConnectionLost } from "../../src/client/errors.ts";
import { later } from "./processes.ts";
import { type Entry, isAccepted, type Telling } from "./record.ts";
import { createTerminalUse, type TerminalUse } from "./terminal-use.ts";

type View = Awaited<ReturnType<RegisterClient["get"]>>;

/** No call takes longer, unless it waits for a payment: whoever waits longer hangs up and asks again. */
const REPLY_MS = 20_000;
/** Between two tries to connect. */
const AGAIN_MS = 60;

/**
 * A cash register: it holds one connection that follows every change by cursor, opens it anew whenever it is lost, and
 * writes down all that it is told. What it asks may get
 * no reply at all; it then asks again, under the same reference.
 */
export interface Register {
  readonly name: string;
  /** Asks on the connection that follows, as soon as there is one, until there is a reply or a refusal. */
  ask<T>(call: (client: RegisterClient) => Promise<T>): Promise<{ readonly value: T; readonly connection: number }>;
  /** Asks once on a second socket. Undefined where that is lost before a reply came. */
  askAside<T>(call: (client: RegisterClient) => Promise<T>): Promise<T | undefined>;
  note(entry: Entry, via: Telling["via"], connection: number, payment: View): void;
  /** Hears every change of that reference, from now on; call the result to stop. */
  watch(reference: string, hear: (payment: View) => void): () => void;
  /** From now on what it is told under this reference is written down. */
  follow(entry: Entry): void;
  /** Hangs up, and comes back later. */
  away(forMs: number): void;
  close(): Promise<void>;
  readonly connections: () => number;
  /** What it was told that no register may be told. */
  readonly problems: readonly string[];
}

/** What all functions of a register share. */
interface Desk {
  readonly options: Pick<ConnectOptions, "url" | "token" | "client">;
  readonly entries: Map<string, Entry>;
  readonly watchers: Set<{ readonly reference: string; readonly hear: (payment: View) => void }>;
  readonly problems: string[];
  /** The last one that was told: where to come back to. */
  cursor: string;
  /** Every one that was ever told, and the greatest. */
  readonly cursors: Set<number>;
  latest: number;
  connections: number;
  open: { readonly client: RegisterClient; readonly connection: number } | undefined;
  opened: PromiseWithResolvers<undefined>;
  awayUntil: number;
  isOver: boolean;
}

export function openRegister(name: string, token: string, url: string): Register {
  const desk: Desk = {
    options: { url, token, client: { name, version: "1" } },
    entries: new Map(),
    watchers: new Set(),
    problems: [],
    cursor: "0",
    cursors: new Set(),
    latest: 0,
    connections: 0,
    open: undefined,
    opened: Promise.withResolvers(),
    awayUntil: 0,
    isOver: false,
  };
  const connected = stayConnected(desk);
  const watch: Register["watch"] = (reference, hear) => {
    const watcher = { reference, hear };
    desk.watchers.add(watcher);
    return () => void desk.watchers.delete(watcher);
  };
  return {
    name,
    ask: (call) => ask(desk, call),
    askAside: (call) => askAside(desk, call),
    note: (entry, via, connection, payment) => note(entry, via, connection, payment),
    watch,
    follow: (entry) => void desk.entries.set(entry.reference, entry),
    away: (forMs) => {
      desk.awayUntil = performance.now() + forMs;
      desk.open?.client.close();
    },
    close: async () => {
      desk.isOver = true;
      desk.open?.client.close();
      await connected;
    },
    connections: () => desk.connections,
    problems: desk.problems,
  };
}

async function stayConnected(desk: Desk): Promise<void> {
  while (!desk.isOver) {
    const left = desk.awayUntil - performance.now();
    if (left > 0) await later(left);
    const connection = desk.connections + 1;
    const use = createTerminalUse();
    try {
      const client = await connectRegister({
        ...desk.options,
        after: desk.cursor,
        onChange: (change) => heard(desk, connection, use, change),
      });
      desk.connections = connection;
      await client.subscribe(desk.cursor);
      desk.open = { client, connection };
      desk.opened.resolve(undefined);
      await client.closed;
    } catch (error) {
      if (error instanceof CallRefused && error.code !== "shutting-down")
        desk.problems.push(`could not come back by cursor ${desk.cursor}: ${error.message}`);
      else if (!(error instanceof ConnectionLost || error instanceof CallRefused)) throw error;
    }
    if (desk.open !== undefined) desk.opened = Promise.withResolvers();
    desk.open = undefined;
    await later(AGAIN_MS);
  }
}

function heard(
  desk: Desk,
  connection: number,
  use: TerminalUse,
  { cursor, payment }: { readonly cursor: string; readonly payment: View },
): void {
  // A change of the prompt alone carries a cursor that was told before; a new one behind a later one would be missed by
  // whoever comes back in between.
  const isNew = !desk.cursors.has(Number(cursor));
  if (isNew && Number(cursor) < desk.latest)
    desk.problems.push(`was first given cursor ${cursor} (${payment.reference}) after ${desk.latest}`);
  desk.cursors.add(Number(cursor));
  desk.latest = Math.max(desk.latest, Number(cursor));
  desk.cursor = cursor;
  const shared = use.hear(payment);
  if (shared !== undefined) desk.problems.push(shared);
  const entry = desk.entries.get(payment.reference);
  if (entry === undefined) desk.problems.push(`was told of ${payment.reference}, which it never asked for`);
  else note(entry, "change", connection, payment);
  for (const { reference, hear } of desk.watchers) if (reference === payment.reference) hear(payment);
}

function note(entry: Entry, via: Telling["via"], connection: number, view: View): void {
  const { id, state, decision, outcome, approvedAmount, capturedAmount, refundedAmount } = view;
  entry.tellings.push({
    ...{ via, connection, at: Date.now(), id, state },
    ...(decision !== undefined && { decision }),
    ...(outcome !== undefined && { outcome }),
    ...(approvedAmount !== undefined && { approvedAmount }),
    ...(capturedAmount !== undefined && { capturedAmount }),
    ...(refundedAmount !== undefined && { refundedAmount }),
  });
}

async function ask<T>(
  desk: Desk,
  call: (client: RegisterClient) => Promise<T>,
): Promise<{ readonly value: T; readonly connection: number }> {
  for (;;) {
    while (desk.open === undefined) {
      if (desk.isOver) throw new Error("the register is closed");
      await desk.opened.promise;
    }
    const { client, connection } = desk.open;
    const impatience = setTimeout(client.close, REPLY_MS);
    try {
      return { value: await call(client), connection };
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      await later(AGAIN_MS);
    } finally {
      clearTimeout(impatience);
    }
  }
}

async function askAside<T>(desk: Desk, call: (client: RegisterClient) => Promise<T>): Promise<T | undefined> {
  let client: RegisterClient | undefined;
  const impatience = setTimeout(() => client?.close(), REPLY_MS);
  try {
    client = await connectRegister({ ...desk.options, after: desk.cursor });
    return await call(client);
  } catch (error) {
    if (error instanceof ConnectionLost) return undefined;
    throw error;
  } finally {
    clearTimeout(impatience);
    client?.close();
  }
}

/** Asks for a payment as it stands and writes it down; not-found is written down too, where it had been accepted. */
export async function look(register: Register, entry: Entry): Promise<View | undefined> {
  try {
    const { value, connection } = await register.ask((client) => client.get({ reference: entry.reference }));
    register.note(entry, "get", connection, value);
    return value;
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error;
    if (error.code === "not-found" && isAccepted(entry)) entry.missing += 1;
    return undefined;
  }
}
