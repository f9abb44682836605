/* Everything that the package offers. */

export type * from "../../src/client/api.ts";
export type { FollowUpParams, Key, Original, ReceiptParams, RegisterClient } from "../../src/client/client.ts";
export { CallRefused, ConnectionLost, ProtocolBroken } from "../../src/client/errors.ts";
export type { BridgeState } from "../../src/client/keep-bridge.ts";
export type { TextStorage } from "../../src/client/kept.ts";
export type { Page, Permission } from "../../src/client/page.ts";
export {
  NotPaired,
  NotThisBridge,
  type PairedAs,
  PairingRefused,
  type PairOptions,
  pairRegister,
} from "../../src/client/pairing.ts";
export { browserPairingStore } from "../../src/client/pairing-browser.ts";
export {
  type KeptPairing,
  type PairingStore,
  type TextPlace,
  textPairingStore,
} from "../../src/client/pairing-store.ts";
export type { PassedFields } from "../../src/client/passed.ts";
export type { Cancellation, Payment } from "../../src/client/payment.ts";
export * from "../../src/client/refusals.ts";
export { connect, type PaymentOptions, type Register, type RegisterOptions } from "../../src/client/register.ts";
export type { Schema } from "../../src/client/schema.ts";
export type * from "../../src/client/start-params.ts";
export type { Trouble, TroubleKind } from "../../src/client/trouble.ts";
export type { OpenSocket, SocketEvents, WireSocket } from "../../src/client/wire-socket.ts";
