import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ChainedFact,
  chain,
  flawOf,
  hashOfFact,
  sealOfRow,
  type Tip,
  tipOfStamp,
} from "../../../src/journal/chain.ts";
import { paymentRow } from "./payment-row.ts";

const STAMP = {
  bridge: "brg_000000000000000000000001",
  environment: "test",
  createdAt: "2026-02-03T04:05:06.789Z",
} as const;

function chainOf(
  facts: readonly { readonly payment: string; readonly at: string; readonly fact: string }[],
): readonly ChainedFact[] {
  const links: ChainedFact[] = [];
  let tip: Tip = tipOfStamp(STAMP);
  for (const { payment, at, fact } of facts) {
    const link = chain(tip, payment, at, fact);
    links.push(link);
    tip = { number: link.number, hash: link.hash };
  }
  return links;
}

function firstFlaw(links: readonly ChainedFact[]): string | undefined {
  let tip: Tip = tipOfStamp(STAMP);
  for (const link of links) {
    const flaw = flawOf(tip, link);
    if (flaw !== undefined) return flaw;
    tip = { number: link.number, hash: link.hash };
  }
  return undefined;
}

const line = fc.string().map((text) => text.replaceAll("\n", ""));
const facts = fc.array(
  fc.record({ payment: line, at: line, fact: fc.jsonValue().map((value) => JSON.stringify(value)) }),
  { minLength: 2, maxLength: 8 },
);

describe("the chain of facts", () => {
  it("hashes number, payment, at, fact and previous hash, a line each, with SHA-256", () => {
    const previous = "ab".repeat(32);
    const text = `7\npay_1\n2026-02-03T04:05:06.789Z\n{"fact":"released"}\n${previous}`;
    const expected = createHash("sha256").update(text).digest("hex");
    expect(
      hashOfFact({
        number: 7,
        payment: "pay_1",
        at: "2026-02-03T04:05:06.789Z",
        fact: '{"fact":"released"}',
        previous,
      }),
    ).toBe(expected);
    // The same text through coreutils: printf '...' | sha256sum
    expect(expected).toBe("11f6e9a1d57a9dba9a634c4cbddf79b950aa921e88454dc7687ee3b80d82b74e");
  });

  it("has no flaw as it was written", () => {
    fc.assert(fc.property(facts, (written) => firstFlaw(chainOf(written)) === undefined));
  });

  it("has one as soon as one field of one fact is another", () => {
    const field = fc.constantFrom("payment", "at", "fact", "previous", "hash");
    fc.assert(
      fc.property(facts, fc.nat(), field, line, (written, which, name, other) => {
        const links = chainOf(written);
        const at = which % links.length;
        fc.pre(links[at]?.[name] !== other);
        expect(firstFlaw(links.map((link, index) => (index === at ? { ...link, [name]: other } : link)))).toBeDefined();
      }),
    );
  });

  it("has one when a fact but the last is gone, told by number", () => {
    fc.assert(
      fc.property(facts, fc.nat(), (written, which) => {
        const links = chainOf(written);
        const gone = which % (links.length - 1);
        expect(firstFlaw(links.filter((_, at) => at !== gone))).toBe(`fact ${gone + 1} is missing`);
      }),
    );
  });

  it("has one when two facts changed places, even with their numbers", () => {
    fc.assert(
      fc.property(facts, (written) => {
        const [first, second, ...rest] = chainOf(written);
        fc.pre(first !== undefined && second !== undefined);
        expect(firstFlaw([{ ...second, number: 1 }, { ...first, number: 2 }, ...rest])).toBeDefined();
      }),
    );
  });

  it("begins at the stamp: the facts of one folder do not continue in another", () => {
    const [first] = chainOf([{ payment: "p", at: "a", fact: "{}" }]);
    for (const other of [
      { ...STAMP, bridge: "brg_2" },
      { ...STAMP, environment: "live" as const },
      { ...STAMP, createdAt: "2026" },
    ]) {
      expect(first && flawOf(tipOfStamp(other), first)).toBe("fact 1 does not follow fact 0");
    }
  });
});

describe("the seal of a row", () => {
  const last = { number: 3, hash: "00".repeat(32) };
  const other = {
    ...{ payment: "x", register: "x", reference: "x", terminal: "x", order: "x", type: "x", currency: "x", amount: 1 },
    ...{ state: "x", outcome: "x", open: false, createdAt: "x" },
  };

  it.each(Object.entries(other))("changes with %s", (column, value) => {
    expect(sealOfRow({ ...paymentRow(1), [column]: value }, last, 3)).not.toBe(sealOfRow(paymentRow(1), last, 3));
  });

  it("changes with the fact that it belongs to", () => {
    expect(sealOfRow(paymentRow(1), { ...last, number: 4 }, 3)).not.toBe(sealOfRow(paymentRow(1), last, 3));
    expect(sealOfRow(paymentRow(1), { ...last, hash: "11".repeat(32) }, 3)).not.toBe(sealOfRow(paymentRow(1), last, 3));
  });

  it("changes with the number of facts, and is the one of earlier versions where that number is not known", () => {
    expect(sealOfRow(paymentRow(1), last, 2)).not.toBe(sealOfRow(paymentRow(1), last, 3));
    expect(sealOfRow(paymentRow(1), last, null)).not.toBe(sealOfRow(paymentRow(1), last, 3));
  });
});
