import { z } from "zod";
import { PRINTER_COLUMNS, printerModels } from "../../receipt/escpos.ts";
import { receiptLanguageOf, receiptLanguages } from "../../receipt/language.ts";
import { makeReceipt } from "../../receipt/receipt.ts";
import { RECEIPT_COLUMNS } from "../../receipt/source.ts";
import { defineMethod, keyMissing, keyOf, refuse } from "../rpc/method.ts";
import { keyFields, receiptResultSchema } from "../rpc/schemas.ts";

/** The model determines code pages and cutter of the printer. */
const printerSchema = z.strictObject({
  model: z
    .enum(printerModels)
    .describe("Its code pages and its cutter are known. Absent: the bytes of an Epson TM.")
    .exactOptional(),
  cut: z.enum(["full", "partial", "none"]).describe("Absent: `partial`.").default("partial"),
  drawer: z.boolean().describe("Opens the cash drawer first.").default(false),
});

const PLAIN_PRINTER = { cut: "partial", drawer: false } as const;

export const paymentReceipt = defineMethod({
  name: "payment.receipt",
  summary:
    "The card receipt: `text` and `html` to print as they are, `escpos` for a receipt printer (base64), `json` to lay out oneself.",
  notes: ["Formats, languages and printers: `docs/receipts.md`."],
  scopes: ["payments", "payments:all"],
  params: z.strictObject({
    ...keyFields,
    copy: z.enum(["merchant", "customer"]).describe("Whose copy."),
    format: z.enum(["text", "html", "json", "escpos"]).describe("What comes back."),
    columns: z
      .int()
      .min(RECEIPT_COLUMNS.min)
      .max(RECEIPT_COLUMNS.max)
      .describe(
        `Characters of a line: ${RECEIPT_COLUMNS.normal} unless said, at most ${PRINTER_COLUMNS} for \`escpos\`.`,
      )
      .optional(),
    language: z
      .string()
      .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "must be a language such as en or en-GB")
      .describe("A tag such as `de`. Absent: the shop's.")
      .optional(),
    code: z
      .string()
      .regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,300}$/u, "must be 1 to 300 printable characters")
      .describe("A text below the receipt; a QR code in `html` and `escpos`.")
      .optional(),
    printer: printerSchema.describe("Only for `escpos`.").optional(),
  }),
  result: receiptResultSchema,
  run: async (
    { payments, caller },
    { copy, format, columns = RECEIPT_COLUMNS.normal, language, code, printer, ...params },
  ) => {
    const key = keyOf(params);
    if (key === undefined) return keyMissing;
    if (printer !== undefined && format !== "escpos")
      return refuse("unsupported", "a printer is for the format escpos: leave it out", "fix-request", "printer");
    if (format === "escpos" && columns > PRINTER_COLUMNS) {
      return refuse(
        "unsupported",
        `a receipt printer has at most ${PRINTER_COLUMNS} columns: ask for fewer`,
        "fix-request",
        "columns",
      );
    }
    const asked = language === undefined ? undefined : receiptLanguageOf(language);
    if (language !== undefined && asked === undefined) {
      return refuse(
        "unsupported",
        `receipts come in ${receiptLanguages.join(", ")}: ask for one of these, or leave language out`,
        "fix-request",
        "language",
      );
    }
    const found = await payments.receipt(caller, key);
    if (!found.ok) return found;
    const shops = receiptLanguageOf(found.value.merchant.language ?? "en") ?? "en";
    const order = {
      copy,
      format,
      columns,
      language: asked ?? shops,
      printing: printer ?? PLAIN_PRINTER,
      ...(code !== undefined && { code }),
    };
    const receipt = await makeReceipt(found.value, order);
    return {
      ok: true,
      value: {
        receipt:
          typeof receipt === "string" ? receipt : { ...receipt, lines: receipt.lines.map((line) => ({ ...line })) },
      },
    };
  },
});
