/** What the service code of a magstripe tells a terminal (ISO/IEC 7813). */
export interface ServiceCode {
  /** First digit 2 or 6: the card has a chip, which is to be used. */
  readonly hasChip: boolean;
  /** Third digit 0, 3, 5, 6 or 7: the issuer wants a PIN. */
  readonly wantsPin: boolean;
}

/** Behind number and expiry: in track 2 after the one separator, which packed is D; in track 1 after the name. */
const SERVICE_CODE = /^[^^]*(?:[=D]|\^[^^]*\^)[0-9]{4}([0-9])[0-9]([0-9])/;

/** The service code of a track as text, or packed and in hexadecimal, masked number or not; undefined where none can be read. */
export function serviceCodeOf(track: string): ServiceCode | undefined {
  const [, first, third] = SERVICE_CODE.exec(track) ?? [];
  return first === undefined || third === undefined ? undefined : { hasChip: /[26]/.test(first), wantsPin: /[03567]/.test(third) };
}
