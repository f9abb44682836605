import type { Answer, Waiting } from "./waiting.ts";

/** The one-time code that every holder of a test card is sent. */
export const RIGHT_CODE = "1234";

const AUTHENTICATION_FAILED = "100.380.401";
const ABANDONED = "100.390.124";

/** What became of a challenge: it is over, or it may be tried again, or he went on without having said anything. */
export type Challenged =
  | { readonly is: "over"; readonly answer: Answer }
  | { readonly is: "wrong"; readonly triesLeft: number }
  | { readonly is: "unanswered" };

/** Whoever cancels has not been authenticated; a field that was left empty costs no try. */
export function challenged({ ifYes, triesLeft }: Pick<Waiting, "ifYes" | "triesLeft">, sent: ReadonlyMap<string, string>): Challenged {
  if (sent.get("answer") === "cancel") return { is: "over", answer: { resultCode: ABANDONED } };
  const code = sent.get("code")?.replaceAll(/\s/g, "") ?? "";
  if (code === "") return { is: "unanswered" };
  if (code === RIGHT_CODE) return { is: "over", answer: ifYes };
  return triesLeft > 1 ? { is: "wrong", triesLeft: triesLeft - 1 } : { is: "over", answer: { resultCode: AUTHENTICATION_FAILED } };
}
