import { z } from "zod";
import { RECEIPT_COLUMNS } from "../../payment/receipt.ts";
import { defineMethod, keyMissing, keyOf, refuse } from "../method.ts";
import { keyFields, receiptResultSchema } from "../wire.ts";

export const paymentReceipt = defineMethod({
  name: "payment.receipt",
  summary: "The card receipt: `text` to print as it is, `json` to lay out oneself.",
  scopes: ["payments", "payments:all"],
  params: z.strictObject({
    ...keyFields,
    copy: z.enum(["merchant", "customer"]),
    format: z.enum(["text", "html", "json", "escpos"]),
    columns: z.int().min(RECEIPT_COLUMNS.min).max(RECEIPT_COLUMNS.max).optional(),
    language: z
      .string()
      .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "must be a language such as en or en-GB")
      .optional(),
  }),
  result: receiptResultSchema,
  run: async ({ payments, caller }, { copy, format, columns = RECEIPT_COLUMNS.normal, language, ...params }) => {
    const key = keyOf(params);
    if (key === undefined) return keyMissing;
    if (format === "html" || format === "escpos") return refuse("unsupported", `receipts come as text and json, not yet as ${format}`, "fix-request", "format");
    if (language !== undefined && !/^en(-|$)/i.test(language))
      return refuse("unsupported", "receipts come in English only: leave language out", "fix-request", "language");
    const made = await payments.receipt(caller, key, { copy, format, columns });
    if (!made.ok) return made;
    const { lines, text } = made.value;
    return { ok: true, value: { receipt: format === "text" ? text : { copy, lines: lines.map((line) => ({ ...line })), text } } };
  },
});
