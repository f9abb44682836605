export { admit, admitWithoutTerminal, type BookEntry, interfacesFor, type TerminalAtStart } from "./admission/admit.ts";
export { formatLimit, hundredthsOf, parseLimit, type RefundLimits, withinLimits } from "./admission/refund-limits.ts";
export type { FollowUp, Target } from "./fact/original.ts";
export {
  type Granted,
  granted,
  nameOf,
  type PaymentName,
  type Refusal,
  type RefusalCode,
  refused,
} from "./fact/refusal.ts";
export type { ChargeRequest, FollowUpRequest, LinkRequest, OriginalKey, StartRequest } from "./fact/request.ts";
export { type AdmittedFollowUp, admitFollowUp, type Standing } from "./follow-up/admit-follow-up.ts";
export { hasHeard, hasToTell, isFollowUp, isWaitingForOriginal, originalsOf } from "./follow-up/follow-up.ts";
export { isResolvable, type Resolution, resolutionProblem } from "./operator/allowed-decisions.ts";
export {
  answeredBy,
  asking,
  type Deletion,
  type DeletionStatus,
  deletionSchema,
  placesToAsk,
  statusOf,
} from "./stored-card/deletion.ts";
