import type { z } from "zod";
import type { Payments } from "../ports.ts";
import type { Ran } from "./call-result.ts";
import type { Context } from "./method.ts";
import type { startResultSchema } from "./schemas.ts";

/** A call that starts a payment. The socket gets its changes only after the reply, and then all of them. */
export async function acceptUnder(
  { feed }: Context,
  reference: string,
  ask: () => ReturnType<Payments["start"]>,
): Promise<Ran<z.input<typeof startResultSchema>>> {
  const held = await feed.holdStart(reference);
  if (!held.ok) return held;
  const hold = held.value;
  try {
    const accepted = await ask();
    const replied = (): void => hold.release(accepted.ok);
    if (!accepted.ok) return { ...accepted, replied };
    const { payment, created, warnings } = accepted.value;
    return { ok: true, value: { payment, created, warnings: [...warnings] }, replied };
  } catch (error) {
    hold.release(false);
    throw error;
  }
}
