import type { Answer, Waiting } from "./waiting.ts";

/** The one-time code sent to every holder of a test card. */
export const RIGHT_CODE = "1234";

const AUTHENTICATION_FAILED = "100.380.401";
const ABANDONED = "100.390.124";

/** Result of a challenge: finished, wrong code with tries left, or nothing entered. */
export type Challenged =
  | { readonly is: "over"; readonly answer: Answer }
  | { readonly is: "wrong"; readonly triesLeft: number }
  | { readonly is: "unanswered" };

/** A cancelled challenge authenticates nobody; an empty field costs no try. */
export function challenged(
  { ifYes, triesLeft }: Pick<Waiting, "ifYes" | "triesLeft">,
  sent: ReadonlyMap<string, string>,
): Challenged {
  if (sent.get("answer") === "cancel") return { is: "over", answer: { resultCode: ABANDONED } };
  const code = sent.get("code")?.replaceAll(/\s/g, "") ?? "";
  if (code === "") return { is: "unanswered" };
  if (code === RIGHT_CODE) return { is: "over", answer: ifYes };
  return triesLeft > 1
    ? { is: "wrong", triesLeft: triesLeft - 1 }
    : { is: "over", answer: { resultCode: AUTHENTICATION_FAILED } };
}
