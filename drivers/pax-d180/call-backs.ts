import type { PromptCode } from "../../src/card/notice.ts";
import { callBackAnswer, word } from "./message.ts";
import { NO_PIN, OK, USER_CANCEL } from "./status-codes.ts";

/* Questions from the device during a chip step; only some firmware asks them (PROTOCOL.md 5). */

const SUBS = {
  chooseApplication: 0xb0,
  amount: 0xb1,
  pin: 0xb2,
  referral: 0xb3,
  online: 0xb4,
  advice: 0xb5,
  pinVerified: 0xb6,
  chooseCandidate: 0xc0,
} as const;

const FIRST = 0;
const REFERRAL_DENIED = 2;
const ONLINE_DENIED = 3;
const IGNORED = -1;

/** B2: kind of PIN. */
const NONE = 0;
const OFFLINE = 2;

export interface Reply {
  readonly write: Uint8Array;
  readonly prompt?: PromptCode;
  /** The cardholder now types an offline PIN, which the card verifies. */
  readonly typesPin?: true;
}

/**
 * The answer to a call-back. `amount`: minor units as in the start command, 0 if set by another command. `isStopping`:
 * refuse everything.
 */
export function replyTo(sub: number, data: Uint8Array, amount: number, isStopping: boolean): Reply {
  const answer = (result: number, more?: Uint8Array): Reply => ({ write: callBackAnswer(sub, result, more) });
  if (isStopping) return answer(USER_CANCEL);
  switch (sub) {
    case SUBS.chooseApplication:
    case SUBS.chooseCandidate:
      return answer(FIRST);
    case SUBS.amount:
      return answer(OK, amounts(amount, data.at(-1) === 1));
    case SUBS.pin:
      return pin(answer, behindCode(data)[0] ?? NONE);
    case SUBS.referral:
      return answer(REFERRAL_DENIED);
    case SUBS.online:
      // The issuer is asked between two commands, never inside one.
      return answer(ONLINE_DENIED, new Uint8Array(11));
    case SUBS.advice:
      return answer(OK);
    case SUBS.pinVerified:
      return { ...answer(OK), prompt: "PROCESSING" };
    default:
      return answer(IGNORED);
  }
}

/**
 * An online PIN would need digits of the card number from us. An offline PIN is typed and verified in the device
 * (PROTOCOL.md 5.3).
 */
function pin(answer: (result: number) => Reply, flag: number): Reply {
  if (flag === NONE) return answer(OK);
  return flag === OFFLINE ? { ...answer(OK), prompt: "ENTER_PIN", typesPin: true } : answer(NO_PIN);
}

/** Some firmware puts a return code of four bytes before a call-back's arguments (PROTOCOL.md 5.1). */
function behindCode(data: Uint8Array): Uint8Array {
  return data.length === 5 || data.length === 8 ? data.slice(4) : data;
}

function amounts(amount: number, withCashback: boolean): Uint8Array {
  return withCashback ? Uint8Array.of(...word(amount), 0, 0, 0, 0) : word(amount);
}
