import { z } from "zod";
import { flatten, type Nested } from "../form.ts";
import { stepsOf } from "../form-nesting.ts";
import { holder } from "./card.ts";
import type { Chapter, Parameter } from "./chapter.ts";
import { paymentChapters } from "./endpoints.ts";
import type { Format } from "./format.ts";
import { keyedGroups, MAX_INDEX } from "./problems.ts";

/** Most free names of one group. The specification states no limit, but a form needs one. */
export const MAX_KEYS = 100;

/** Accounts of sender, recipient and risk system: registers may not send account data. */
const WITHHELD: ReadonlySet<string> = new Set([
  ...[
    "sender.accountNumber",
    "sender.accountNumberType",
    "recipient.accountNumber",
    "recipient.accountNumberType",
    "risk.accountToken",
  ],
]);

const chapters: readonly Chapter[] = paymentChapters;
const all: readonly Parameter[] = chapters
  .flatMap((chapter) => chapter.parameters)
  .filter(({ name }) => !WITHHELD.has(name));
const keyed = keyedGroups(chapters);

type Schema = z.ZodType<Nested>;

/**
 * The nested parameters that a register may pass to the gateway (contract, section 3, `payment.start`), in the
 * specification's formats. Values are strings, booleans, or numbers for counts, never for money. Unknown members are
 * refused at every level.
 */
export const passthroughShape = {
  merchantInvoiceId: leafOf("merchantInvoiceId").describe("The shop's number of the invoice.").optional(),
  merchantMemo: leafOf("merchantMemo").describe("A note of the shop, for its back office.").optional(),
  descriptor: leafOf("descriptor").describe("The text on the cardholder's statement.").optional(),
  taxAmount: leafOf("taxAmount").describe("The part of the amount that is tax.").optional(),
  discountAmount: leafOf("discountAmount").describe("The discount in the amount.").optional(),
  transactionCategory: leafOf("transactionCategory")
    .describe("How the sale came about, as the acquirer lists it.")
    .optional(),
  promotionCode: leafOf("promotionCode").describe("A promotion, as agreed with the acquirer.").optional(),
  locale: leafOf("locale").describe("The language of the gateway's pages: `de_DE`.").optional(),
  transactionPurposeCode: leafOf("transactionPurposeCode")
    .describe("What the payment is for, as the acquirer lists it.")
    .optional(),
  transactionBai: leafOf("transactionBai").describe("Business application identifier of a money transfer.").optional(),
  transactionTti: leafOf("transactionTti").describe("Transaction type identifier of a money transfer.").optional(),
  transactionProcessingCode: leafOf("transactionProcessingCode")
    .describe("PURCHASE, FUNDING or PAYMENT: whether it is a money transfer.")
    .optional(),
  cart: groupOf("cart").describe("The goods.").optional(),
  customer: groupOf("customer").describe("The customer.").optional(),
  billing: groupOf("billing").describe("The billing address.").optional(),
  shipping: groupOf("shipping").describe("The delivery address.").optional(),
  corporate: groupOf("corporate").describe("Data of purchase cards (level 3).").optional(),
  sender: groupOf("sender").describe("The sender of a money transfer, without account data.").optional(),
  recipient: groupOf("recipient").describe("The recipient of a money transfer, without account data.").optional(),
  merchant: groupOf("merchant").describe("The shop, if it differs from the channel's.").optional(),
  marketPlace: groupOf("marketPlace").describe("Sub-merchants of a market place.").optional(),
  airline: groupOf("airline").describe("Tickets and flights.").optional(),
  risk: groupOf("risk").describe("Data for the risk check, without account data.").optional(),
  giftCard: groupOf("giftCard").describe("What is written on a gift card: `message` and `type`.").optional(),
  standingInstruction: groupOf("standingInstruction")
    .describe("What the cardholder agreed to: the type, the mode and the source of payments by a stored card.")
    .optional(),
  customParameters: groupOf("customParameters").describe("Names and values of the shop's own.").optional(),
};

/** The cardholder's name for one payment by a stored card ("Holder override"). */
export const holderSchema = textOf(holder);

export const passthroughSchema = z.strictObject(passthroughShape);

/** Tells whether a register may send this parameter: the parameter or its group is a member of `passthroughShape`. */
export function mayPass(name: string): boolean {
  return (
    all.some((parameter) => parameter.name === name) && Object.hasOwn(passthroughShape, name.split(/[.[]/, 1)[0] ?? "")
  );
}

function leafOf(name: string): Schema {
  const parameter = all.find((each) => each.name === name);
  if (parameter === undefined) throw new RangeError(`no parameter ${name} in the specification's tables`);
  return leaf(parameter.format);
}

function textOf({ pattern, message }: Format): z.ZodType<string> {
  return z
    .string()
    .regex(pattern, { error: message })
    .refine((value) => value.isWellFormed(), { error: "must be well-formed Unicode" });
}

function leaf(format: Format): Schema {
  const text = textOf(format);
  switch (format.json) {
    case "string":
      return text;
    case "boolean":
      return z.boolean();
    case "number":
      return z.union(
        [text, z.number().refine((value) => format.pattern.test(String(value)), { error: format.message })],
        { error: format.message },
      );
  }
}

/** One member of the register's JSON: all lines of the tables below that name, and the rules between them. */
function groupOf(name: string): Schema {
  const own = all.filter((parameter) => new RegExp(`^${name}[.[]`).test(parameter.name));
  const rules = chapters
    .filter((chapter) => chapter.parameters.some((parameter) => own.includes(parameter)))
    .flatMap((chapter) => chapter.rules);
  return nest(own.map((parameter) => ({ path: pathOf(parameter.name).slice(1), parameter }))).check((context) => {
    const sent = new Map(flatten({ [name]: context.value }, keyed));
    for (const problem of rules.flatMap((rule) => rule(sent))) {
      const path = (stepsOf(problem.name, keyed) ?? [])
        .slice(1)
        .map((step) => (step.is === "index" ? step.index : step.name));
      context.issues.push({ code: "custom", path, message: problem.message, input: context.value });
    }
  });
}

interface Line {
  readonly path: readonly string[];
  readonly parameter: Parameter;
}

/** "cart.items[n].name" becomes cart, items, [n], name. */
function pathOf(name: string): readonly string[] {
  return name.replaceAll("[", ".[").split(".");
}

function nest(lines: readonly Line[]): Schema {
  const [first] = lines;
  if (first === undefined) throw new RangeError("a group without parameters");
  const [head] = first.path;
  if (head === undefined) return leaf(first.parameter.format);
  if (head === "[key]") return freeNames(first.parameter);
  if (head === "[n]") return z.array(nest(lines.map(inner))).max(MAX_INDEX + 1);
  const groups = Map.groupBy(lines, (line) => line.path[0] ?? "");
  return z.strictObject(
    Object.fromEntries([...groups].map(([member, under]) => [member, nest(under.map(inner)).optional()])),
  );
}

function inner(line: Line): Line {
  return { path: line.path.slice(1), parameter: line.parameter };
}

function freeNames(parameter: Parameter): Schema {
  if (parameter.key === undefined) throw new RangeError(`${parameter.name} says nothing about its names`);
  return z
    .record(z.string().regex(parameter.key.pattern, { error: parameter.key.message }), leaf(parameter.format))
    .refine((names) => Object.keys(names).length <= MAX_KEYS, { error: `must have at most ${MAX_KEYS} names` });
}
