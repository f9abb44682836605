export { presentedCardOf } from "./card/presented-card.ts";
export type {
  Agreement,
  Answer,
  DeclineReason,
  Found,
  IssuerAnswer,
  LinkSight,
  SchemeAdvice,
  SearchResult,
} from "./fact/answer.ts";
export type { Ask } from "./fact/entry-request.ts";
export {
  type Channel,
  type Device,
  type EntryMode,
  entryModeSchema,
  gatewayPaymentTypeSchema,
  isForPresentedCard,
  isTap,
  type Operation,
  type PresentedCard,
  type SearchKey,
  sequenceText,
} from "./fact/operation.ts";
