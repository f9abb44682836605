import { bridgeChecks } from "../methods/bridge-checks.ts";
import { bridgeLog } from "../methods/bridge-log.ts";
import { bridgeSupportBundle } from "../methods/bridge-support-bundle.ts";
import { eventsSubscribe } from "../methods/events-subscribe.ts";
import { linkCreate } from "../methods/link-create.ts";
import { paymentCancel } from "../methods/payment-cancel.ts";
import { paymentCapture } from "../methods/payment-capture.ts";
import { paymentConfirmSignature } from "../methods/payment-confirm-signature.ts";
import { paymentGet } from "../methods/payment-get.ts";
import { paymentIncrement } from "../methods/payment-increment.ts";
import { paymentList } from "../methods/payment-list.ts";
import { paymentReceipt } from "../methods/payment-receipt.ts";
import { paymentRefund } from "../methods/payment-refund.ts";
import { paymentResolve } from "../methods/payment-resolve.ts";
import { paymentStart } from "../methods/payment-start.ts";
import { paymentTimeline } from "../methods/payment-timeline.ts";
import { paymentVoid } from "../methods/payment-void.ts";
import { paymentWait } from "../methods/payment-wait.ts";
import { registersApprove } from "../methods/registers-approve.ts";
import { registersPending } from "../methods/registers-pending.ts";
import { registersRefuse } from "../methods/registers-refuse.ts";
import { registrationDelete } from "../methods/registration-delete.ts";
import { registrationPay } from "../methods/registration-pay.ts";
import { rollbacksConfirm } from "../methods/rollbacks-confirm.ts";
import { rollbacksList } from "../methods/rollbacks-list.ts";
import { sessionChallenge } from "../methods/session-challenge.ts";
import { sessionOpen } from "../methods/session-open.ts";
import { sessionPair } from "../methods/session-pair.ts";
import { sessionPing } from "../methods/session-ping.ts";
import { terminalsList } from "../methods/terminals-list.ts";
import { terminalsModels } from "../methods/terminals-models.ts";
import { terminalsPair } from "../methods/terminals-pair.ts";
import { terminalsRename } from "../methods/terminals-rename.ts";
import { terminalsReplace } from "../methods/terminals-replace.ts";
import { terminalsScan } from "../methods/terminals-scan.ts";
import { terminalsTest } from "../methods/terminals-test.ts";
import { terminalsTrace } from "../methods/terminals-trace.ts";
import { terminalsUnpair } from "../methods/terminals-unpair.ts";
import { terminalsUntrace } from "../methods/terminals-untrace.ts";
import { totalsGet } from "../methods/totals-get.ts";
import type { RegisterMethod } from "./method.ts";

/** Every method of the register API: one file and one line each. */
export const methods: readonly RegisterMethod[] = [
  sessionOpen,
  sessionChallenge,
  sessionPair,
  sessionPing,
  terminalsList,
  terminalsTest,
  terminalsScan,
  terminalsModels,
  terminalsPair,
  terminalsRename,
  terminalsReplace,
  terminalsUnpair,
  paymentStart,
  paymentGet,
  paymentWait,
  paymentCancel,
  paymentConfirmSignature,
  paymentCapture,
  paymentVoid,
  paymentRefund,
  paymentIncrement,
  paymentList,
  paymentReceipt,
  linkCreate,
  registrationPay,
  registrationDelete,
  eventsSubscribe,
  totalsGet,
  registersPending,
  registersApprove,
  registersRefuse,
  rollbacksList,
  rollbacksConfirm,
  paymentTimeline,
  paymentResolve,
  terminalsTrace,
  terminalsUntrace,
  bridgeChecks,
  bridgeLog,
  bridgeSupportBundle,
];

export function methodOf(name: string): RegisterMethod | undefined {
  return methods.find((method) => method.name === name);
}
