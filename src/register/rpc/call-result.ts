import type { Refusal } from "../../payment/refusal.ts";
import type { Problem } from "./problem.ts";

/** How a call ended. `replied` runs right after the reply was handed to the socket: notifications that the call caused wait for it. */
export type Ran<T> = { readonly replied?: () => void } & (
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal; readonly path?: string }
  | { readonly ok: false; readonly invalid: Problem }
);
