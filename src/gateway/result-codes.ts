/**
 * Classes of result codes, as the gateway's operators publish them (gateway-facts 1.1). The first matching pattern
 * wins. The rows are the newest wording. Older wordings send 100.400.500 to risk and 000.400.030 to review, both of
 * which cost money.
 */
const CLASSES = [
  ["chargeback", /^000\.100\.2/],
  ["success", /^(?:000\.000\.|000\.100\.1|000\.[36]|000\.400\.[1][12]0)/],
  ["success-review", /^(?:000\.400\.0[^3]|000\.400\.100)/],
  ["pending-session", /^000\.200/],
  ["pending-days", /^(?:800\.400\.5|100\.400\.500)/],
  ["communication-error", /^(?:900\.[1234]00|000\.400\.030)/],
  ["rejected-3ds-intercard", /^(?:000\.400\.[1][0-9][1-9]|000\.400\.2)/],
  ["rejected-bank", /^(?:800\.[17]00|800\.800\.[123])/],
  ["system-error", /^(?:800\.[56]|999\.|600\.1|800\.800\.[84])/],
  ["async-workflow-error", /^100\.39[765]/],
  ["soft-decline", /^300\.100\.100/],
  ["retry-blocked-mac", /^700\.60[01]/],
  [
    "risk-external",
    /^(?:100\.400\.[0-3]|100\.380\.100|100\.380\.11|100\.380\.4|100\.380\.5|100\.370\.100|100\.370\.11)/,
  ],
  ["address-validation", /^(?:800\.400\.1|100\.800)/],
  ["rejected-3ds", /^(?:800\.400\.2|100\.390)/],
  ["blacklist", /^(?:100\.100\.701|800\.[32])/],
  ["risk-validation", /^800\.1[123456]0/],
  ["configuration", /^(?:600\.[23]|500\.[12]|800\.121)/],
  ["registration-validation", /^100\.[13]50/],
  ["job-validation", /^(?:100\.250|100\.360)/],
  ["reference-validation", /^700\.[1345][05]0/],
  ["risk-management", /^(?:100\.380\.[23]|100\.380\.101)/],
  ["format-validation", /^(?:200\.[123]|100\.[53][07]|800\.900|100\.[69]00\.500)/],
  ["contact-validation", /^(?:100\.700|100\.900)/],
  ["account-validation", /^(?:100\.100|100\.2[01])/],
  ["amount-validation", /^100\.55/],
] as const;

/** `unmatched`: no published pattern matches the code; it never means approved. */
export type CodeClass = (typeof CLASSES)[number][0] | "unmatched";

/**
 * "Response body" allows 2-11 digits and dots. Every code of the catalogue has this one shape, and the patterns rely on
 * it.
 */
const CODE = /^[0-9]{3}\.[0-9]{3}\.[0-9]{3}$/;

export const codeClasses: readonly CodeClass[] = [...CLASSES.map(([name]) => name), "unmatched"];

export function classOf(code: string): CodeClass {
  if (!CODE.test(code)) return "unmatched";
  return CLASSES.find(([, pattern]) => pattern.test(code))?.[0] ?? "unmatched";
}
