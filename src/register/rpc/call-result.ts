import type { Refusal } from "../../payment/request.ts";
import type { Problem } from "./problem.ts";

/**
 * The result of a call. `replied` runs right after the reply was sent: notifications caused by the call wait for it.
 */
export type Ran<T> = { readonly replied?: () => void } & (
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal; readonly path?: string }
  | { readonly ok: false; readonly invalid: Problem }
);
