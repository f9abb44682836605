import { connectRegister, type RegisterClient } from "../../src/client/client.ts";
import { CallRefused, ConnectionLost } from "../../src/client/errors.ts";
import type { PaymentView } from "../../src/payment/view-schema.ts";
import { later } from "./processes.ts";
import { type Entry, isAccepted, type Telling } from "./record.ts";

/** Whoever waits longer for a reply hangs up and asks again. */
const REPLY_MS = 20_000;
/** Between two tries to connect. */
const AGAIN_MS = 60;

/**
 * A register with one connection that follows every change by cursor and is opened anew whenever it is lost. It writes
 * down all that it is told. What got no reply it asks again.
 */
export class Register {
  readonly name: string;
  /** What it was told that no register may be told. */
  readonly problems: string[] = [];
  connections = 0;
  readonly #options: { readonly url: string; readonly token: string };
  readonly #entries = new Map<string, Entry>();
  readonly #watchers = new Set<(payment: PaymentView) => void>();
  readonly #cursors = new Set<number>();
  readonly #connected: Promise<void>;
  #cursor = "0";
  #open: { readonly client: RegisterClient; readonly connection: number } | undefined;
  #opened = Promise.withResolvers<undefined>();
  #awayUntil = 0;
  #isOver = false;

  constructor(name: string, token: string, url: string) {
    this.name = name;
    this.#options = { url, token };
    this.#connected = this.#stayConnected();
  }

  /** From now on what it is told under this reference is written down. */
  follow(entry: Entry): void {
    this.#entries.set(entry.reference, entry);
  }

  /** Hears every change from now on; call the result to stop. */
  watch(hear: (payment: PaymentView) => void): () => void {
    this.#watchers.add(hear);
    return () => void this.#watchers.delete(hear);
  }

  /** Hangs up, and comes back later. */
  away(forMs: number): void {
    this.#awayUntil = performance.now() + forMs;
    this.#open?.client.close();
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#open?.client.close();
    await this.#connected;
  }

  /** Asks on the connection that follows, until there is a reply or a refusal. */
  async ask<T>(call: (client: RegisterClient) => Promise<T>): Promise<T> {
    for (;;) {
      while (this.#open === undefined) await this.#opened.promise;
      const { client } = this.#open;
      const impatience = setTimeout(client.close, REPLY_MS);
      try {
        return await call(client);
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        await later(AGAIN_MS);
      } finally {
        clearTimeout(impatience);
      }
    }
  }

  /** Asks once on a second socket. Undefined if that is lost before a reply came. */
  async askAside<T>(call: (client: RegisterClient) => Promise<T>): Promise<T | undefined> {
    let client: RegisterClient | undefined;
    const impatience = setTimeout(() => client?.close(), REPLY_MS);
    try {
      client = await connectRegister({ ...this.#options, after: this.#cursor });
      return await call(client);
    } catch (error) {
      if (error instanceof ConnectionLost) return undefined;
      throw error;
    } finally {
      clearTimeout(impatience);
      client?.close();
    }
  }

  /** The payment as it stands. Not-found is written down if it had been accepted. */
  async look(entry: Entry): Promise<PaymentView | undefined> {
    try {
      const payment = await this.ask((client) => client.get({ reference: entry.reference }));
      note(entry, payment);
      return payment;
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error;
      if (error.code === "not-found" && isAccepted(entry)) entry.missing += 1;
      return undefined;
    }
  }

  async #stayConnected(): Promise<void> {
    while (!this.#isOver) {
      await later(Math.max(0, this.#awayUntil - performance.now()));
      const connection = this.connections + 1;
      try {
        const onChange = (change: Change): void => this.#heard(connection, change);
        const client = await connectRegister({ ...this.#options, after: this.#cursor, onChange });
        this.connections = connection;
        await client.subscribe(this.#cursor);
        this.#open = { client, connection };
        this.#opened.resolve(undefined);
        await client.closed;
      } catch (error) {
        if (error instanceof CallRefused && error.code !== "shutting-down")
          this.problems.push(`could not come back by cursor ${this.#cursor}: ${error.message}`);
        else if (!(error instanceof ConnectionLost || error instanceof CallRefused)) throw error;
      }
      if (this.#open !== undefined) this.#opened = Promise.withResolvers();
      this.#open = undefined;
      await later(AGAIN_MS);
    }
  }

  #heard(connection: number, { cursor, payment }: Change): void {
    // A change of the prompt alone repeats a cursor. A new one behind a later one would be missed after a reconnect.
    const number = Number(cursor);
    if (!this.#cursors.has(number) && number < Math.max(0, ...this.#cursors))
      this.problems.push(`was first given cursor ${cursor} (${payment.reference}) after a later one`);
    this.#cursors.add(number);
    this.#cursor = cursor;
    const entry = this.#entries.get(payment.reference);
    if (entry === undefined) this.problems.push(`was told of ${payment.reference}, which it never asked for`);
    else note(entry, payment, connection);
    for (const hear of this.#watchers) hear(payment);
  }
}

interface Change {
  readonly cursor: string;
  readonly payment: PaymentView;
}

/** Asks for a payment. */
export type Send = (client: RegisterClient) => Promise<{ readonly payment: PaymentView; readonly created?: boolean }>;

export function started(entry: Entry, { payment, created }: Awaited<ReturnType<Send>>): void {
  if (created === true) entry.created += 1;
  note(entry, payment);
}

/** `connection`: of a notification. */
export function note(entry: Entry, payment: PaymentView, connection?: number): void {
  const { id, state, decision, outcome } = payment;
  const via: Telling["via"] = connection === undefined ? "reply" : "change";
  entry.tellings.push({ id, state, decision, outcome, via, at: Date.now(), connection: connection ?? 0 });
}
