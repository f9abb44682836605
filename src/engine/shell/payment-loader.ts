import type { Payment } from "../../payment/state.ts";
import type { Prompt } from "../../payment/view.ts";
import type { PaymentsPorts } from "../service/service-ports.ts";
import { recall } from "./journal-replay.ts";

/** A payment as it stands now, with what its terminal shows. */
export interface Loaded {
  readonly payment: Payment;
  readonly prompt?: Prompt;
}

/** From memory where it is not settled, else from the journal. */
export async function load({ engine, journal }: Pick<PaymentsPorts, "engine" | "journal">, id: string): Promise<Loaded | undefined> {
  const mailbox = engine.find(id);
  if (mailbox === undefined) return recall(journal, id);
  const prompt = mailbox.prompt();
  return { payment: mailbox.payment(), ...(prompt !== undefined && { prompt }) };
}
