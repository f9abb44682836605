import type { Presented } from "../../src/card/dynapro-card.ts";
import type { Notice } from "../../src/card/notice.ts";

type NoCard = Extract<Notice, { on: "no-card" }>["why"];

/** Meaning of a transaction's outcome (0105) before the issuer's answer (PROTOCOL.md 5.2). */
export type Ruling =
  | { readonly is: "no-card"; readonly why: NoCard }
  /** The chip was unreadable or pulled. */
  | { readonly is: "unreadable" }
  | { readonly is: "decided"; readonly decision: "approved-offline" | "declined-offline" }
  | { readonly is: "cancelled"; readonly by: "customer" | "register" }
  /** The card was not read and may be presented again. */
  | { readonly is: "again" }
  /** The device did not wait for the issuer (quick chip). */
  | { readonly is: "quick" }
  /** The transaction has not ended. */
  | { readonly is: "nothing" };

const noCard = (why: NoCard): Ruling => ({ is: "no-card", why });

/** Payment technologies: first byte of an outcome and of a progress notification. */
export const technologies = { none: "00", keyed: "07", magstripe: "08", chip: "10", tap: "20" } as const;

/** The card interface of this technology; undefined without a card. */
export function presentedBy(technology: string): Presented | undefined {
  switch (technology) {
    case technologies.keyed:
      return "keyed";
    case technologies.magstripe:
      return "magstripe";
    case technologies.chip:
      return "chip";
    case technologies.tap:
      return "tap";
    default:
      return undefined;
  }
}

/** Outcomes from outside a kernel. */
const terminated: Readonly<Record<string, Ruling>> = {
  "0100": noCard("timeout"),
  "0301": { is: "cancelled", by: "register" },
  "0302": { is: "cancelled", by: "customer" },
  "0305": { is: "again" },
  "0407": { is: "decided", decision: "declined-offline" },
};

/** Outcomes of a kernel, by their third byte. */
const kernel: Readonly<Record<string, Ruling>> = {
  "00": { is: "unreadable" },
  "01": noCard("use-chip"),
  "02": { is: "decided", decision: "approved-offline" },
  "03": { is: "decided", decision: "declined-offline" },
  "04": { is: "unreadable" },
  "05": noCard("not-supported"),
  "06": { is: "decided", decision: "approved-offline" },
  "07": { is: "quick" },
  "08": { is: "unreadable" },
  "09": noCard("not-supported"),
  "0A": { is: "cancelled", by: "customer" },
  "0B": noCard("not-supported"),
  "0C": { is: "again" },
  "0D": { is: "again" },
  "0F": { is: "unreadable" },
  "10": noCard("not-supported"),
  "80": { is: "decided", decision: "declined-offline" },
};

const KERNEL = "02";

/** Reads the code of an outcome. */
export function rulingOf(code: string): Ruling {
  const [technology, reason, detail] = [code.slice(0, 2), code.slice(2, 4), code.slice(4, 6)];
  const ruling = (reason === KERNEL ? kernel[detail] : terminated[reason + detail]) ?? { is: "nothing" };
  // A failed tap says nothing about the chip, which is tried next.
  if (technology === technologies.tap && ruling.is === "unreadable") return noCard("use-chip");
  return technology === technologies.chip && ruling.is === "no-card" && ruling.why === "use-chip"
    ? noCard("not-supported")
    : ruling;
}

/** `terminated`: ended from outside. `quick`: the device did not wait for the issuer. */
export type FinalWord = "approved" | "not-approved" | "terminated" | "quick";

/**
 * Whether an outcome may belong to a card of this technology. An outcome from outside names none, and a kernel may omit
 * it.
 */
export function isOutcomeOf(code: string, technology: string): boolean {
  const told = code.slice(0, 2);
  return told === technology || told === technologies.none;
}

/** The card's final decision after the issuer's answer (PROTOCOL.md 5.2); undefined if the code gives none. */
export function finalWord(code: string): FinalWord | undefined {
  const [reason, detail] = [code.slice(2, 4), code.slice(4, 6)];
  if (reason === KERNEL) return kernelWord(detail);
  if (reason === "04") return detail === "07" ? "not-approved" : undefined;
  return reason === "01" || reason === "03" ? "terminated" : undefined;
}

function kernelWord(detail: string): FinalWord | undefined {
  switch (detail) {
    case "02":
    case "06":
      return "approved";
    case "07":
      return "quick";
    case "0E":
      return undefined;
    default:
      return "not-approved";
  }
}
