import type { Minor } from "../../../../src/kit/money.ts";
import { HALF_REVERSED } from "./codes.ts";
import { DEFAULT_DELAY_MS, DEFAULT_HIDE_MS, type Outcome, PENDING_MS, type WireDeed } from "./outcome.ts";

/**
 * "payment": PA, DB or CD, including increments. "tap-without-pin": a contactless PA or DB without PIN. The others: a
 * request that refers to a booking of that amount.
 */
export type MagicOccasion = "payment" | "tap-without-pin" | "PA" | "CP" | "RV" | "RV-of-CP" | "RF";

export interface MagicAmount {
  /** In the currency's smallest unit: 910005 is 9100.05 EUR and 910005 JPY. */
  readonly minor: Minor;
  readonly on: MagicOccasion;
  readonly what: string;
  readonly outcome: Outcome;
}

/** 91xx: the issuer declines; numeric response codes are the cents. */
const DECLINES: readonly MagicAmount[] = [
  decline(910004, "800.100.171", "keep the card"),
  decline(910005, "800.100.152", "do not honour"),
  decline(910014, "800.100.151", "card invalid"),
  decline(910041, "800.100.165", "card lost"),
  decline(910043, "800.100.159", "card stolen"),
  decline(910051, "800.100.155", "not enough funds"),
  decline(910054, "800.100.157", "card expired"),
  decline(910055, "800.100.166", "wrong PIN, whatever was typed"),
  decline(910057, "800.100.170", "not permitted"),
  decline(910061, "800.100.162", "limit exceeded"),
  decline(910062, "800.100.168", "card restricted"),
  decline(910065, "300.100.100", "soft decline: the issuer wants chip and PIN"),
  decline(910075, "800.100.178", "PIN tries exceeded"),
  decline(910080, "100.400.147", "denied by the risk check after payment"),
  decline(910081, "800.110.100", "duplicate"),
  decline(910082, "700.600.002", "do not retry for 72 hours"),
  decline(910083, "800.500.110", "no free terminal id at the acquirer"),
  decline(910084, "900.100.600", "acquirer link down"),
  decline(910092, "800.100.192", "declined, but the amount stays reserved"),
  decline(910093, "800.400.110", "address check failed, but the amount stays reserved"),
];

/** 92xx: approved with a remark. */
const APPROVALS: readonly MagicAmount[] = [
  {
    minor: 920000,
    on: "payment",
    what: "approved, 000.400.000: review for fraud suspicion",
    outcome: { resultCode: "000.400.000" },
  },
  { minor: 920010, on: "payment", what: "half of the amount is approved", outcome: { half: true } },
  {
    minor: 920040,
    on: "payment",
    what: "half of the amount is approved, 000.400.040",
    outcome: { resultCode: "000.400.040", half: true },
  },
  { minor: 920070, on: "payment", what: "approved, scripts 71 and 72 for the card", outcome: { icc: "scripts" } },
  { minor: 920088, on: "payment", what: "approved without pos.iccDataResponse", outcome: { icc: "absent" } },
  { minor: 920089, on: "payment", what: "approved, 8A without 91", outcome: { icc: "without-91" } },
  { minor: 920090, on: "payment", what: "approved with a 91 that does not verify", outcome: { icc: "wrong-91" } },
  {
    minor: 920091,
    on: "payment",
    what: "approved, 000.400.100: review after the risk check",
    outcome: { resultCode: "000.400.100" },
  },
];

/** 93xx: the gateway does not know the outcome. */
const DOUBTS: readonly MagicAmount[] = [
  { minor: 930001, on: "payment", what: "900.100.300, and booked", outcome: { answeredCode: "900.100.300" } },
  {
    minor: 930002,
    on: "payment",
    what: "900.100.300, and not booked: 900.100.310 after 30 s",
    outcome: { resultCode: "900.100.310", interim: { resultCode: "900.100.300", forMs: PENDING_MS } },
  },
  {
    minor: 930003,
    on: "payment",
    what: "900.100.301: booked and reversed by the gateway",
    outcome: { resultCode: "900.100.301", reversedByGateway: true },
  },
  {
    minor: 930004,
    on: "payment",
    what: "000.400.030: booked, the gateway's own reversal failed",
    outcome: { resultCode: HALF_REVERSED },
  },
  {
    minor: 930005,
    on: "payment",
    what: "900.100.310: nothing was sent to the acquirer",
    outcome: { resultCode: "900.100.310" },
  },
  {
    minor: 930006,
    on: "payment",
    what: "pending (000.200.000), approved after 30 s",
    outcome: { interim: { resultCode: "000.200.000", forMs: PENDING_MS } },
  },
  {
    minor: 930007,
    on: "payment",
    what: "pending (000.200.000), declined after 30 s",
    outcome: { resultCode: "800.100.152", interim: { resultCode: "000.200.000", forMs: PENDING_MS } },
  },
  {
    minor: 930008,
    on: "PA",
    what: "600.200.202: channel not set up for PA; DB is approved",
    outcome: { resultCode: "600.200.202" },
  },
  {
    minor: 930009,
    on: "payment",
    what: "800.110.100 (duplicate), although it is booked",
    outcome: { answeredCode: "800.110.100" },
  },
];

/** 94xx: faults on the wire. */
const WIRE: readonly MagicAmount[] = [
  { minor: 940001, on: "payment", what: "connection cut, nothing booked", outcome: wire("drop-before") },
  { minor: 940002, on: "payment", what: "booked, reply lost", outcome: wire("drop-after") },
  { minor: 940003, on: "payment", what: "booked, reply after 90 s", outcome: wire("delay") },
  {
    minor: 940004,
    on: "payment",
    what: "booked, connection reset in the middle of the reply",
    outcome: wire("reset-mid-body"),
  },
  { minor: 940005, on: "payment", what: "HTTP 500, nothing booked", outcome: wire("http-500") },
  { minor: 940006, on: "payment", what: "booked, HTTP 502 with a page of HTML", outcome: wire("http-502-html") },
  {
    minor: 940007,
    on: "payment",
    what: "booked, JSON of the reply ends in the middle",
    outcome: wire("truncated-json"),
  },
  { minor: 940008, on: "payment", what: "throttled, nothing booked", outcome: wire("throttle") },
  {
    minor: 940009,
    on: "payment",
    what: "booked, reply lost, queries know nothing of it for 60 s",
    outcome: { ...wire("drop-after"), hideMs: DEFAULT_HIDE_MS },
  },
  { minor: 940010, on: "payment", what: "booked, reply after 5 s", outcome: wire("delay", 5_000) },
];

const PENDING = { resultCode: "000.200.000", forMs: PENDING_MS };
const PENDING_FOR_DAYS = { resultCode: "800.400.501", forMs: PENDING_MS };

/** 95xx: the payment is approved, its follow-up fails. */
const REFERENCES: readonly MagicAmount[] = [
  {
    minor: 950001,
    on: "RV",
    what: "RV: 900.100.300, and reversed; 700.300.300 when repeated",
    outcome: { answeredCode: "900.100.300" },
  },
  { minor: 950002, on: "RV", what: "RV: 700.300.700, no longer possible", outcome: { resultCode: "700.300.700" } },
  { minor: 950003, on: "RV", what: "RV: reversed, reply lost", outcome: wire("drop-after") },
  { minor: 950004, on: "RV", what: "RV: pending, reversed after 30 s", outcome: { interim: PENDING } },
  {
    minor: 950005,
    on: "RV",
    what: "RV: pending, refused (700.300.700) after 30 s",
    outcome: { resultCode: "700.300.700", interim: PENDING },
  },
  {
    minor: 950006,
    on: "RV-of-CP",
    what: "RV of its CP: 700.300.700, no longer possible once captured",
    outcome: { resultCode: "700.300.700" },
  },
  { minor: 950011, on: "CP", what: "CP: 900.100.300, and captured", outcome: { answeredCode: "900.100.300" } },
  { minor: 950012, on: "CP", what: "CP: 700.300.400, refused for good", outcome: { resultCode: "700.300.400" } },
  { minor: 950013, on: "CP", what: "CP: captured, reply lost", outcome: wire("drop-after") },
  { minor: 950014, on: "CP", what: "CP: pending, captured after 30 s", outcome: { interim: PENDING_FOR_DAYS } },
  {
    minor: 950015,
    on: "CP",
    what: "CP: pending, declined (800.100.152) after 30 s",
    outcome: { resultCode: "800.100.152", interim: PENDING_FOR_DAYS },
  },
  { minor: 950021, on: "RF", what: "RF: 900.100.300, and refunded", outcome: { answeredCode: "900.100.300" } },
  { minor: 950022, on: "RF", what: "RF: 800.100.152, declined", outcome: { resultCode: "800.100.152" } },
  { minor: 950023, on: "RF", what: "RF: refunded, reply lost", outcome: wire("drop-after") },
  { minor: 950024, on: "RF", what: "RF: pending, refunded after 30 s", outcome: { interim: PENDING_FOR_DAYS } },
  {
    minor: 950025,
    on: "RF",
    what: "RF: pending, declined (800.100.152) after 30 s",
    outcome: { resultCode: "800.100.152", interim: PENDING_FOR_DAYS },
  },
];

/** 96xx: the issuer wants more than a tap; approved with PIN and by contact chip. */
const SOFT_DECLINES: readonly MagicAmount[] = [
  {
    minor: 960001,
    on: "tap-without-pin",
    what: "tap without PIN: 300.100.100",
    outcome: { resultCode: "300.100.100" },
  },
  {
    minor: 960010,
    on: "tap-without-pin",
    what: "tap without PIN: 800.100.152 with AcquirerResponse 1A",
    outcome: softDecline("1A"),
  },
  {
    minor: 960065,
    on: "tap-without-pin",
    what: "tap without PIN: 800.100.152 with AcquirerResponse 65",
    outcome: softDecline("65"),
  },
  {
    minor: 960070,
    on: "tap-without-pin",
    what: "tap without PIN: 800.100.152 with AcquirerResponse 70",
    outcome: softDecline("70"),
  },
];

export const MAGIC_AMOUNTS: readonly MagicAmount[] = [
  ...DECLINES,
  ...APPROVALS,
  ...DOUBTS,
  ...WIRE,
  ...REFERENCES,
  ...SOFT_DECLINES,
];

/** The magic outcome for that amount and request type; CP, RV and RF use the amount of their booking. */
export function magicOutcome(minor: Minor, occasion: Occasion): Outcome | undefined {
  return MAGIC_AMOUNTS.find((magic) => magic.minor === minor && fits(magic.on, occasion))?.outcome;
}

interface Occasion {
  readonly paymentType: "PA" | "DB" | "CD" | "CP" | "RV" | "RF";
  readonly isTapWithoutPin?: boolean;
  /** Type of the referenced booking. */
  readonly of?: string;
}

function fits(on: MagicOccasion, { paymentType, isTapWithoutPin, of }: Occasion): boolean {
  switch (on) {
    case "payment":
      return paymentType === "PA" || paymentType === "DB" || paymentType === "CD";
    case "tap-without-pin":
      return isTapWithoutPin === true && paymentType !== "CD";
    case "RV-of-CP":
      return paymentType === "RV" && of === "CP";
    case "PA":
    case "CP":
    case "RV":
    case "RF":
      return paymentType === on;
  }
}

function decline(minor: Minor, resultCode: string, text: string): MagicAmount {
  return { minor, on: "payment", what: `${resultCode}: ${text}`, outcome: { resultCode } };
}

function softDecline(responseCode: string): Outcome {
  return { resultCode: "800.100.152", responseCode };
}

function wire(deed: WireDeed, delayMs = DEFAULT_DELAY_MS): Outcome {
  return { wire: { deed, delayMs } };
}
