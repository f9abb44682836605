import type { AnyPaymentKey } from "../ports.ts";
import type { Ran } from "../rpc/call-result.ts";
import { keyMissing } from "../rpc/method.ts";

interface KeyParams {
  readonly id?: string | undefined;
  readonly reference?: string | undefined;
  readonly register?: string | undefined;
}

/** The payment named by `id`, or by `reference` with an optional `register`. Undefined: neither, or both. */
export function anyKeyOf({ id, reference, register }: KeyParams): AnyPaymentKey | undefined {
  if (id !== undefined) return reference === undefined && register === undefined ? { id } : undefined;
  if (reference === undefined) return undefined;
  return { reference, ...(register !== undefined && { register }) };
}

export function anyKeyMissing({ id, reference }: KeyParams): Ran<never> {
  if (id !== undefined && reference === undefined)
    return { ok: false, invalid: { path: "register", message: "goes with reference: an id names one payment" } };
  return keyMissing;
}
