export { isSamePrompt, type Prompt } from "./fact/prompt.ts";
export { brandAndDigits } from "./outcome/card-view.ts";
export { reasonNow } from "./outcome/current-reason.ts";
export { CARD_LEFT_IN, TOO_OLD } from "./outcome/outcome.ts";
export { isReasonCode, type ReasonCode, reasonOf } from "./outcome/reason.ts";
export { decisionOf, type ReceiptView, stateOf, viewForReceipt, viewOf } from "./outcome/view.ts";
