import path from "node:path";
import { z } from "zod";
import { ledgerSchema, moved, type Row } from "./books.ts";
import type { GatewayFault } from "./plan.ts";
import { freePort, type Keeper, keepRunning } from "./processes.ts";

export const GATEWAY_TOKEN = "sandbox-token";
const ENTITY = "8a8294174b7ecb28014b9699220015ca";

/** Two queries a minute are what an entity has (gateway facts, 2.5), so each terminal is an entity of its own. */
export function entityOf(terminal: number): string {
  return terminal === 1 ? ENTITY : `${ENTITY.slice(0, -2)}${String(terminal).padStart(2, "0")}`;
}

/**
 * The sandbox as a process, its ledger in the shop's folder. It keeps faults and clock in memory: both are gone when it
 * was killed.
 */
export interface TestGateway {
  readonly url: string;
  readonly keeper: Keeper;
  /** False where it is down at this moment. */
  fault(fault: GatewayFault): Promise<boolean>;
  /** No fault is left, and what takes its time (hidden bookings, pending results, late replies) is over. */
  heal(): Promise<void>;
  /** Each row at the time at which it really came. */
  ledger(): Promise<readonly Row[]>;
  /**
   * Books by a card what that row booked by one, under the same name: the customer has paid the same in a second
   * browser. False where it did not come to that.
   */
  payAgain(row: Row, card: Readonly<Record<string, string>>): Promise<boolean>;
}

const READY = /sandbox gateway at/;
/**
 * Longer than anything that a fault or a magic amount makes last, and than the hour for which the gateway takes
 * payments by a link at least.
 */
const LONG_MS = 70 * 60_000;

const answerSchema = z.object({ result: z.object({ code: z.string() }) });

export async function startGateway(folder: string, terminals: number): Promise<TestGateway> {
  const port = await freePort();
  const more = Array.from({ length: terminals - 1 }, (_, at) => [
    "--entity",
    entityOf(at + 2),
    "--token",
    GATEWAY_TOKEN,
  ]).flat();
  // The bridge keeps to two queries a minute by itself; a bridge that was restarted does not know what the one before
  // it had asked.
  const argv = ["sandbox", "--port", String(port), "--data", path.join(folder, "sandbox"), "--no-throttling", ...more];
  const keeper = keepRunning("sandbox", READY, argv);
  await keeper.current().line(READY);
  const url = `http://127.0.0.1:${port}/`;
  const ask = async (method: string, call: string, body?: object): Promise<unknown> => {
    const sent =
      body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(`${url}sandbox/v1/${call}`, { method, ...sent });
    if (!response.ok) throw new Error(`${method} ${call}: ${await response.text()}`);
    return response.json();
  };
  const fault = async (order: GatewayFault): Promise<boolean> => {
    try {
      await ask("POST", "faults", order);
      return true;
    } catch (error) {
      // Down, or going down: fetch says so with a TypeError.
      if (error instanceof TypeError) return false;
      throw error;
    }
  };
  let healedAt = Number.POSITIVE_INFINITY;
  const heal = async (): Promise<void> => {
    await keeper.current().line(READY);
    await ask("DELETE", "faults");
    healedAt = Date.now();
    await ask("POST", "clock", { advanceMs: LONG_MS });
  };
  const ledger = async (): Promise<readonly Row[]> => {
    const { bookings } = ledgerSchema.parse(await ask("GET", "ledger"));
    return bookings.map((row) =>
      Date.parse(row.receivedAt) < healedAt + LONG_MS ? row : { ...row, receivedAt: earlier(row.receivedAt, LONG_MS) },
    );
  };
  const payAgain = (row: Row, card: Readonly<Record<string, string>>): Promise<boolean> => payOnceMore(url, row, card);
  return { url, keeper, fault, heal, ledger, payAgain };
}

/**
 * The sandbox takes one payment by a link's page (what the gateway does there is published nowhere), but as many as are
 * sent to it under one name.
 */
async function payOnceMore(
  url: string,
  { entityId, paymentType, amount, currency, merchantTransactionId, parameters }: Row,
  card: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { merchantInvoiceId = "" } = parameters;
  const fields = {
    entityId,
    paymentType,
    testMode: "INTERNAL",
    merchantInvoiceId,
    ...card,
    amount: amount ?? "",
    currency: currency ?? "",
    merchantTransactionId: merchantTransactionId ?? "",
  };
  const headers = { authorization: `Bearer ${GATEWAY_TOKEN}` };
  const response = await fetch(`${url}v1/payments`, { method: "POST", headers, body: new URLSearchParams(fields) });
  return moved({ resultCode: answerSchema.parse(await response.json()).result.code });
}

function earlier(time: string, byMs: number): string {
  return new Date(Date.parse(time) - byMs).toISOString();
}
