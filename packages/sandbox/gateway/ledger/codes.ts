/** Success and success with review of the published classification (gateway facts, 1.1). */
const SUCCESS = /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.1[12]0|000\.400\.0[^3]|000\.400\.100)/;
const PENDING = /^(000\.200|800\.400\.5|100\.400\.500)/;

/** Specification, "Chargeback": reasons for the chargeback. */
const CHARGEBACK = /^000\.100\.2/;

/** The gateway timed out and could not reverse its own booking, so the money is still held. */
export const HALF_REVERSED = "000.400.030";

/** Declined, but the issuer keeps the amount reserved for some days. */
const RESERVED_DESPITE_DECLINE: readonly string[] = ["800.100.192", "800.400.110"];

/** Whether money was booked. */
export function books(resultCode: string): boolean {
  return SUCCESS.test(resultCode) || resultCode === HALF_REVERSED;
}

export function isSuccess(resultCode: string): boolean {
  return SUCCESS.test(resultCode);
}

export function isChargeback(resultCode: string): boolean {
  return CHARGEBACK.test(resultCode);
}

/** Whether the row moved money; an executed chargeback has its reason as result. */
export function movesMoney({
  paymentType,
  resultCode,
}: {
  readonly paymentType: string;
  readonly resultCode: string;
}): boolean {
  return books(resultCode) || (paymentType === "CB" && isChargeback(resultCode));
}

export function isPending(resultCode: string): boolean {
  return PENDING.test(resultCode);
}

export function reservesDespiteDecline(resultCode: string): boolean {
  return RESERVED_DESPITE_DECLINE.includes(resultCode);
}
