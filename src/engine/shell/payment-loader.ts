import type { Payment } from "../../payment/state.ts";
import type { Prompt } from "../../payment/view.ts";
import type { PaymentsPorts } from "../service/service-ports.ts";
import { recall } from "./journal-replay.ts";

/** A payment's current state, with the terminal's prompt. */
export interface Loaded {
  readonly payment: Payment;
  readonly prompt?: Prompt;
}

/** Reads an open payment from memory, a settled one from the journal. */
export async function load(
  { engine, journal }: Pick<PaymentsPorts, "engine" | "journal">,
  id: string,
): Promise<Loaded | undefined> {
  const mailbox = engine.find(id);
  if (mailbox === undefined) return recall(journal, id);
  const prompt = mailbox.prompt();
  return { payment: mailbox.payment(), ...(prompt !== undefined && { prompt }) };
}
