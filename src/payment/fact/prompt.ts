import type { PromptCode } from "../../card/notice.ts";
import type { PaymentView } from "../view-schema.ts";

export interface Prompt {
  readonly code: PromptCode;
  readonly swipe?: true;
  readonly removeCard?: true;
}

const TEXTS: Readonly<Record<PromptCode, string>> = {
  INSERT_OR_TAP: "Insert or tap the card",
  INSERT_CHIP: "Insert the card",
  TAP: "Tap the card",
  SWIPE: "Swipe the card",
  ENTER_CARD_NUMBER: "The card number is typed on the terminal",
  TRY_AGAIN: "Try again",
  ONE_CARD_ONLY: "One card only",
  SEE_PHONE: "See the phone",
  SELECT_APPLICATION: "The customer chooses the card application",
  ENTER_PIN: "The customer types the PIN",
  WRONG_PIN: "Wrong PIN",
  PROCESSING: "One moment, please",
  REMOVE_CARD: "Take the card out",
  SIGN: "The customer signs",
  APPROVED: "Approved",
  NOT_APPROVED: "Not approved",
};

export const promptCodes: readonly string[] = Object.keys(TEXTS);

const TEXTS_WITH_SWIPE: Readonly<Partial<Record<PromptCode, string>>> = {
  INSERT_OR_TAP: "Insert, tap or swipe the card",
  INSERT_CHIP: "Insert or swipe the card",
  TAP: "Tap or swipe the card",
};

export function promptView({ code, swipe, removeCard }: Prompt): NonNullable<PaymentView["prompt"]> {
  const text = (swipe && TEXTS_WITH_SWIPE[code]) ?? TEXTS[code];
  return removeCard ? { code, text: `${text}. ${TEXTS.REMOVE_CARD}`, removeCard } : { code, text };
}

export function isSamePrompt(one: Prompt | undefined, other: Prompt | undefined): boolean {
  return one?.code === other?.code && one?.swipe === other?.swipe && one?.removeCard === other?.removeCard;
}
