import type { ControlHandlers } from "../../src/control/methods.ts";

const refuse = async () => ({ ok: false as const, message: "not here" });

/** A daemon's control methods, none of which does anything: a test puts its own in place of some. */
export const refusingHandlers: ControlHandlers = {
  ping: refuse,
  "tokens.create": refuse,
  "tokens.list": refuse,
  "tokens.revoke": refuse,
  "tokens.revokeDamaged": refuse,
  "registers.pending": refuse,
  "registers.approve": refuse,
  "registers.refuse": refuse,
  "payments.resolve": refuse,
  "terminals.list": refuse,
  "terminals.test": refuse,
  "terminals.pair": refuse,
  "terminals.rename": refuse,
  "terminals.replace": refuse,
  "terminals.unpair": refuse,
  "terminals.trace": refuse,
  "certificates.create": refuse,
  "rollbacks.confirm": refuse,
  "bridge.checks": refuse,
  "bridge.supportBundle": refuse,
  "bridge.status": refuse,
  "bridge.reload": refuse,
  "bridge.stop": refuse,
};
