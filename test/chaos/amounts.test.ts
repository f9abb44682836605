import { describe, expect, it } from "vitest";
import type { Row } from "./books.ts";
import type { Evidence } from "./checker.ts";
import { APPROVED, AT, entry, evidence, LATER, payment, problems, REGISTER, row, TOLD_AT } from "./doctored.ts";
import type { JournalPayment } from "./journal.ts";
import type { Telling, Word } from "./record.ts";

const IN_PART = "000.400.040";
const PART = "6.17";
const ofSale = { referencedId: "id-pa" };
const sale = payment("sold", { ...APPROVED, capture: "captured", capturedAmount: PART }, ["pa", "cp"]);
const whole = { ...sale, capturedAmount: "12.34" };
const reserved = row("PA", "pa");
const half = row("CP", "cp", { ...ofSale, amount: PART, resultCode: IN_PART });
const byHand = row("CP", "hand", { ...ofSale, amount: PART, merchantTransactionId: undefined });
const refused = row("CP", "cp", { ...ofSale, resultCode: "800.400.501" });
const uncaptured = { ...sale, capture: "failed", capturedAmount: undefined };
const said: Word = { register: REGISTER, reference: "sold", as: "approved", gatewayId: "id-hand" };
const left: Word = { register: REGISTER, reference: "sold", as: "reversed" };

const follow = (reference: string, type: string, name: string, more: Partial<JournalPayment> = {}): JournalPayment =>
  payment(reference, { decision: "approved", outcome: "APPROVED", type, amount: PART, approvedAmount: PART, ...more }, [
    name,
  ]);
const refund = follow("refund", "LINKED_REFUND", "rf", { outcome: "PARTIALLY_APPROVED", amount: "12.34" });
const refunding = row("RF", "rf", { referencedId: "id-cp", amount: PART, resultCode: IN_PART });
const voiding = follow("void", "VOID", "rv", { amount: undefined, approvedAmount: undefined });
const voided = row("RV", "rv", { referencedId: "id-cp", amount: PART });

interface More {
  readonly words?: readonly Word[];
  readonly open?: Evidence["open"];
}
const seen = (journal: readonly JournalPayment[], rows: readonly Row[], more: More = {}): Evidence => ({
  ...evidence(journal, rows),
  ...more,
});

/** A sale of which its register heard these amounts besides, at some moment, and last by asking. */
function told(
  of: JournalPayment,
  rows: readonly Row[],
  more: Partial<Telling>,
  last: Partial<Telling> = {},
  words: readonly Word[] = [left],
): Evidence {
  const { approvedAmount, capturedAmount, refundedAmount } = of;
  const asked = { approvedAmount, capturedAmount, refundedAmount };
  const known = Object.fromEntries(Object.entries(asked).filter(([, amount]) => amount !== undefined));
  const decided = { decision: "approved", outcome: "APPROVED", state: "FINAL" };
  const one = entry(of, [
    { via: "wait", ...decided, ...more },
    { via: "get", ...decided, ...known, ...last },
  ]);
  return { ...evidence([of], rows, [one]), words };
}

const hold = payment("hold", { ...APPROVED, type: "PREAUTHORIZATION", capturedAmount: PART }, ["pa"]);
const capture = follow("capture", "CAPTURE", "cp", {
  outcome: "PARTIALLY_APPROVED",
  amount: "12.34",
  capturedAmount: PART,
});

describe("where the gateway did a part the checker is content", () => {
  it.each<[string, Evidence]>([
    ["with a capture of which a person has left the rest", seen([sale], [reserved, half], { words: [left] })],
    [
      "with a capture of which a person had the rest captured by hand",
      seen([whole], [reserved, half, byHand], { words: [said] }),
    ],
    [
      "with a capture that was refused, and made by hand",
      seen([whole], [reserved, refused, { ...byHand, amount: "12.34" }], { words: [said] }),
    ],
    [
      "with a capture that was refused for good, and left so",
      seen([uncaptured], [reserved, refused], { words: [left] }),
    ],
    [
      "with a capture in part that was voided, which needs no word",
      seen([{ ...sale, voidedBy: "pay-void" }, voiding], [reserved, half, voided]),
    ],
    [
      "with a void that was done in two parts",
      seen(
        [
          { ...whole, voidedBy: "pay-void" },
          { ...voiding, gateway: { attempts: attemptsOf("rv", "rest") } },
        ],
        [
          ...[reserved, row("CP", "cp", ofSale), { ...voided, resultCode: IN_PART }],
          row("RV", "rest", { referencedId: "id-cp", amount: PART }),
        ],
      ),
    ],
    [
      "with both parts of a capture voided",
      seen(
        [
          { ...whole, voidedBy: "pay-void" },
          { ...voiding, gateway: { attempts: attemptsOf("rv", "rest") } },
        ],
        [reserved, half, byHand, voided, row("RV", "rest", { referencedId: "id-hand", amount: PART })],
        { words: [said] },
      ),
    ],
    [
      "with a refund in part",
      seen([{ ...whole, refundedAmount: PART }, refund], [reserved, row("CP", "cp", ofSale), refunding]),
    ],
    ["with a capture in part of a reservation", seen([hold, capture], [reserved, half])],
    [
      "with what was told of it when it was so",
      told(sale, [reserved, half], { approvedAmount: "12.34", capturedAmount: PART }),
    ],
    [
      "with a sale that waits for something else after its operator's word",
      seen([sale], [reserved, half], {
        words: [left],
        open: [{ id: sale.id, reference: "sold", register: REGISTER, state: "FINAL" }],
      }),
    ],
  ])("%s", (_, found) => expect(problems(found)).toEqual([]));
});

describe("where the gateway did a part the checker catches", () => {
  it.each<[string, Evidence, RegExp]>([
    [
      "one that no person was asked about",
      seen([sale], [reserved, half]),
      /captured with 617 of 1234 cents, and no person was asked/,
    ],
    [
      "a capture that failed, of which no person was told",
      seen([uncaptured], [reserved, refused]),
      /capture failed, and no person was asked about it/,
    ],
    [
      "a part that is told as the whole",
      seen([whole], [reserved, half], { words: [left] }),
      /says that 1234 cents were captured, and the ledger holds 617/,
    ],
    [
      "a whole that is told as a part",
      seen([sale], [reserved, row("CP", "cp", ofSale)]),
      /says that 617 cents were captured, and the ledger holds 1234/,
    ],
    [
      "a part that the gateway never said was one",
      seen([sale], [reserved, { ...half, resultCode: "000.100.110" }], { words: [left] }),
      /says captured, and the ledger holds 617 of 1234/,
    ],
    [
      "a rest that was said to be captured and was not",
      seen([whole], [reserved, half], { words: [said] }),
      /its operator said that the rest was captured/,
    ],
    [
      "a rest that was captured by hand, and nobody said so",
      seen([whole], [reserved, half, byHand], { words: [left] }),
      /by hand, and nobody said so \(id-hand\)/,
    ],
    [
      "a word on another booking",
      seen([whole], [reserved, half, byHand], { words: [{ ...said, gatewayId: "id-cp" }] }),
      /by hand, and nobody said so/,
    ],
    [
      "a word on another register's payment",
      seen([sale], [reserved, half], { words: [{ ...left, register: "register-2" }] }),
      /no person was asked about the rest/,
    ],
    [
      "a rest that the bridge captures by itself",
      seen(
        [{ ...whole, gateway: { attempts: attemptsOf("pa", "cp", "more") } }],
        [reserved, half, { ...byHand, merchantTransactionId: "more" }],
      ),
      /was captured 2 times/,
    ],
    [
      "more captured by hand than was approved",
      seen([whole], [reserved, half, { ...byHand, amount: "6.18" }], { words: [said] }),
      /captured with 1235 of 1234 cents/,
    ],
    [
      "a sale that stays open although its operator has closed it",
      seen([sale], [reserved, half], {
        words: [left],
        open: [
          {
            id: sale.id,
            reference: "sold",
            register: REGISTER,
            state: "FINAL",
            owed: "a word on its capture",
            mend: "posbridge resolve",
          },
        ],
      }),
      /was closed by its operator, and still waits for a word on its capture/,
    ],
    [
      "a void that left the rest of what was taken back in part",
      seen(
        [{ ...whole, voidedBy: "pay-void" }, voiding],
        [reserved, row("CP", "cp", ofSale), { ...voided, resultCode: IN_PART }],
      ),
      /^sold: is voided, and the ledger holds 617 cents of CP id-cp/,
    ],
    [
      "a void that forgot what was captured by hand",
      seen([{ ...whole, voidedBy: "pay-void" }, voiding], [reserved, half, byHand, voided], { words: [said] }),
      /^sold: is voided, and the ledger holds 617 cents of CP id-hand/,
    ],
    [
      "a void of a reservation that left a part of it",
      seen(
        [{ ...hold, capturedAmount: undefined, voidedBy: "pay-void" }, voiding],
        [reserved, { ...voided, referencedId: "id-pa" }],
      ),
      /^hold: is voided, and the ledger holds 617 cents of PA id-pa/,
    ],
    [
      "a refund in part that is told as the whole",
      seen(
        [
          { ...whole, refundedAmount: "12.34" },
          { ...refund, outcome: "APPROVED", approvedAmount: "12.34" },
        ],
        [reserved, row("CP", "cp", ofSale), refunding],
      ),
      /^sold: says that 1234 cents were refunded, and the ledger holds 617(?:.|\n)*^refund: has approved 1234 cents, and the ledger holds 617/,
    ],
    [
      "a refund that its sale does not know",
      seen([whole, refund], [reserved, row("CP", "cp", ofSale), refunding]),
      /says that 0 cents were refunded, and the ledger/,
    ],
    [
      "more given back than was captured",
      seen(
        [
          { ...sale, refundedAmount: "6.18" },
          { ...refund, approvedAmount: "6.18" },
        ],
        [reserved, half, { ...refunding, amount: "6.18" }],
        { words: [left] },
      ),
      /gave back 1 cents more than CP id-cp had taken/,
    ],
    [
      "a capture in part of which its reservation is told the whole",
      seen([{ ...hold, capturedAmount: "12.34" }, capture], [reserved, half]),
      /^hold: says that 1234 cents were captured, and the ledger holds 617/,
    ],
    [
      "an amount that was told before it was captured",
      told(
        whole,
        [reserved, half, { ...byHand, receivedAt: LATER }],
        { at: TOLD_AT, capturedAmount: "12.34" },
        { at: Date.parse(LATER) },
        [said],
      ),
      /was told that 12.34 was captured, when the ledger held 617 cents/,
    ],
    [
      "an amount that was told before it was refunded",
      told(sale, [reserved, half], { refundedAmount: "0.01" }),
      /was told that 0.01 was refunded, when the ledger held 0 cents/,
    ],
    [
      "an approved amount that changed",
      told(sale, [reserved, half], { at: Date.parse(AT), approvedAmount: PART }),
      /its approved amount changed: 6.17, 12.34/,
    ],
    [
      "an amount that the register was last told otherwise",
      told(whole, [reserved, half, byHand], {}, { capturedAmount: PART }, [said]),
      /told last that its capturedAmount is 6.17, and the journal says 12.34/,
    ],
  ])("%s", (_, found, text) => expect(problems(found).join("\n")).toMatch(new RegExp(text.source, "m")));
});

function attemptsOf(...names: readonly string[]): NonNullable<JournalPayment["gateway"]>["attempts"] {
  return names.map((merchantTransactionId) => ({ merchantTransactionId, paymentType: "" }));
}
