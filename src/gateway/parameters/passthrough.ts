import { z } from "zod";
import { flatten, type Nested } from "../form.ts";
import { stepsOf } from "../nest.ts";
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
  merchantInvoiceId: leafOf("merchantInvoiceId").optional(),
  merchantMemo: leafOf("merchantMemo").optional(),
  descriptor: leafOf("descriptor").optional(),
  taxAmount: leafOf("taxAmount").optional(),
  discountAmount: leafOf("discountAmount").optional(),
  transactionCategory: leafOf("transactionCategory").optional(),
  promotionCode: leafOf("promotionCode").optional(),
  locale: leafOf("locale").optional(),
  transactionPurposeCode: leafOf("transactionPurposeCode").optional(),
  transactionBai: leafOf("transactionBai").optional(),
  transactionTti: leafOf("transactionTti").optional(),
  transactionProcessingCode: leafOf("transactionProcessingCode").optional(),
  cart: groupOf("cart").optional(),
  customer: groupOf("customer").optional(),
  billing: groupOf("billing").optional(),
  shipping: groupOf("shipping").optional(),
  corporate: groupOf("corporate").optional(),
  sender: groupOf("sender").optional(),
  recipient: groupOf("recipient").optional(),
  merchant: groupOf("merchant").optional(),
  marketPlace: groupOf("marketPlace").optional(),
  airline: groupOf("airline").optional(),
  risk: groupOf("risk").optional(),
  giftCard: groupOf("giftCard").optional(),
  standingInstruction: groupOf("standingInstruction").optional(),
  customParameters: groupOf("customParameters").optional(),
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
