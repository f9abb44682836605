/* Common properties of the deck's cards; each card overrides some. */

/** CVM lists (EMV Book 3, annex C3): online PIN if supported, else signature, else none; signature; and none. */
const ONLINE_PIN_FIRST = "000000000000000042035E031F00";
export const SIGNATURE_FIRST = "00000000000000005E031F00";
export const NO_VERIFICATION = "00000000000000001F00";

export const VISA = {
  brand: "visa",
  cryptogramVersion: 0x0a,
  aid: "A0000000031010",
  label: "VISA CREDIT",
  panSequenceNumber: "00",
  expiry: "311231",
  serviceCode: "201",
  cardholder: "TEST CARD/VISA",
  country: "0276",
  aip: "1C00",
  signs: false,
  cvmList: ONLINE_PIN_FIRST,
  pin: "1234",
  typed: ["1234"],
  firstDecision: "online",
  secondDecision: "as-asked",
  issuerAuthentication: "optional",
  blocked: false,
  presents: "insert",
  chip: "works",
  tap: "none",
  tapVerification: "none",
  asksFirst: false,
  others: [],
  choice: 1,
  chooses: "holder",
  says: [],
} as const;

export const MASTERCARD = {
  ...VISA,
  brand: "mastercard",
  cryptogramVersion: 0x10,
  aid: "A0000000041010",
  label: "MASTERCARD",
  panSequenceNumber: "01",
  cardholder: "TEST CARD/MASTERCARD",
  aip: "3900",
  issuerAuthentication: "mandatory",
} as const;

/** AIP of contactless cards: qVSDC, and M/Chip with EMV mode (byte 2, bit 8). */
export const VISA_TAP = { ...VISA, cryptogramVersion: 0x12, aip: "2000", presents: "tap", tap: "chip" } as const;
export const MASTERCARD_TAP = {
  ...MASTERCARD,
  cryptogramVersion: 0x14,
  aip: "1980",
  presents: "tap",
  tap: "chip",
} as const;
export const MAGSTRIPE = { presents: "swipe", chip: "none", serviceCode: "101" } as const;
