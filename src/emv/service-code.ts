/** The service code of a magstripe (ISO/IEC 7813). */
export interface ServiceCode {
  /** First digit 2 or 6: the card has a chip, which must be used. */
  readonly hasChip: boolean;
  /** Third digit 0, 3, 5, 6 or 7: the issuer requires a PIN. */
  readonly wantsPin: boolean;
}

/** It follows number and expiry: in track 2 after the separator, packed as D; in track 1 after the name. */
const SERVICE_CODE = /^[^^]*(?:[=D]|\^[^^]*\^)[0-9]{4}([0-9])[0-9]([0-9])/;

/** The service code of a track as text, or packed as hexadecimal, masked or not; undefined if unreadable. */
export function serviceCodeOf(track: string): ServiceCode | undefined {
  const [, first, third] = SERVICE_CODE.exec(track) ?? [];
  return first === undefined || third === undefined
    ? undefined
    : { hasChip: /[26]/.test(first), wantsPin: /[03567]/.test(third) };
}
