import type { RegisterClient } from "../../src/client/client.ts";
import { CallRefused } from "../../src/client/errors.ts";
import { paymentResultSchema } from "../../src/register/rpc/schemas.ts";
import { later } from "./processes.ts";
import type { Entry } from "./record.ts";
import { look, type Register } from "./register.ts";

/** How a register asks for a payment, and waits for it. */

export type View = Awaited<ReturnType<RegisterClient["get"]>>;
export type Send = (client: RegisterClient) => Promise<{ readonly payment: View; readonly created?: boolean }>;

/** How long a cashier asks for a terminal that is busy or away. */
const ASKING_MS = 60_000;
const ASK_AGAIN_MS = 120;
/** How long a customer who wants his money back waits until it was taken. */
const CAPTURED_MS = 10_000;

/** True once a reply says that it was accepted; false where it is refused for good, or for too long. */
export async function request(register: Register, entry: Entry, send: Send, twice: boolean): Promise<boolean> {
  const until = performance.now() + ASKING_MS;
  const second = twice ? aside(register, entry, send) : Promise.resolve();
  for (;;) {
    let sentAt = 0;
    try {
      const { value, connection } = await register.ask((client) => {
        sentAt = Date.now();
        return send(client);
      });
      started(register, entry, connection, value);
      await second;
      return true;
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error;
      const { code, message, advice } = error;
      entry.refusals.push({ sentAt, code, message });
      if ((advice !== "retry" && !code.startsWith("terminal-")) || performance.now() > until) return false;
      await later(ASK_AGAIN_MS);
    }
  }
}

export function started(
  register: Register,
  entry: Entry,
  connection: number,
  { payment, created }: Awaited<ReturnType<Send>>,
): void {
  if (created === true) entry.created += 1;
  register.note(entry, "start", connection, payment);
}

/** The same request once more, on a socket of its own. */
export async function aside(register: Register, entry: Entry, send: Send): Promise<void> {
  const sentAt = Date.now();
  try {
    const reply = await register.askAside(send);
    if (reply !== undefined) started(register, entry, 0, reply);
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error;
    entry.refusals.push({ sentAt, code: error.code, message: error.message });
  }
}

/**
 * What the cashier knows once it is decided, or when he has waited for so long, which is less than a register waits for
 * any reply.
 */
export async function decided(register: Register, entry: Entry, timeoutMs: number): Promise<View | undefined> {
  const params = { reference: entry.reference, until: "decision", timeoutMs };
  try {
    const { value, connection } = await register.ask((client) =>
      client.call("payment.wait", params, paymentResultSchema),
    );
    register.note(entry, "wait", connection, value.payment);
    return value.payment;
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error;
    return look(register, entry);
  }
}

/** A customer who brings something back does not come before the money was taken. */
export async function captured(register: Register, entry: Entry): Promise<void> {
  const until = performance.now() + CAPTURED_MS;
  while ((await look(register, entry))?.capture === "pending" && performance.now() < until) await later(ASK_AGAIN_MS);
}
