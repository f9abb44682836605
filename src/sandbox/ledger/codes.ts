/** Success and success-with-review of the published classification (gateway facts, 1.1). */
const SUCCESS = /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.1[12]0|000\.400\.0[^3]|000\.400\.100)/;
const PENDING = /^(000\.200|800\.400\.5|100\.400\.500)/;

/** Specification, "Chargeback": why the bank takes its customer's money back. */
const CHARGEBACK = /^000\.100\.2/;

/** Half failed: the gateway timed out and could not take its booking back, so the money is still held. */
export const HALF_REVERSED = "000.400.030";

/** Declined, and yet the issuer keeps the amount reserved for some days. */
const RESERVED_DESPITE_DECLINE: readonly string[] = ["800.100.192", "800.400.110"];

/** Whether money stands behind a result. */
export function books(resultCode: string): boolean {
  return SUCCESS.test(resultCode) || resultCode === HALF_REVERSED;
}

export function isSuccess(resultCode: string): boolean {
  return SUCCESS.test(resultCode);
}

export function isChargeback(resultCode: string): boolean {
  return CHARGEBACK.test(resultCode);
}

/** Whether that row of the ledger moved money; a chargeback that was carried out has its reason for a result. */
export function movesMoney({ paymentType, resultCode }: { readonly paymentType: string; readonly resultCode: string }): boolean {
  return books(resultCode) || (paymentType === "CB" && isChargeback(resultCode));
}

export function isPending(resultCode: string): boolean {
  return PENDING.test(resultCode);
}

export function reservesDespiteDecline(resultCode: string): boolean {
  return RESERVED_DESPITE_DECLINE.includes(resultCode);
}
