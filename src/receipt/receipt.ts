import { receiptLines } from "./content.ts";
import { type Printing, receiptBytes } from "./escpos.ts";
import { receiptHtml } from "./html.ts";
import { type ReceiptLanguage, receiptWords } from "./language.ts";
import { receiptText } from "./rows.ts";
import { type Copy, codeLine, type ReceiptLine, type ReceiptSource } from "./source.ts";

/** How a receipt is wanted. `code`: a text of the register's that stands below it, as a QR code where it is drawn. */
export interface ReceiptOrder {
  readonly copy: Copy;
  readonly format: "text" | "html" | "json" | "escpos";
  readonly columns: number;
  readonly language: ReceiptLanguage;
  readonly code?: string;
  readonly printing: Printing;
}

export interface ReceiptLines {
  readonly copy: Copy;
  readonly lines: readonly ReceiptLine[];
  readonly text: string;
}

/** `text` and `html` as they are, `escpos` in base64 (RFC 4648), `json` as lines to lay out. */
export async function makeReceipt(source: ReceiptSource, order: ReceiptOrder): Promise<string | ReceiptLines> {
  const { copy, columns, language, code } = order;
  const lines = receiptLines(source, copy, receiptWords(language));
  const withCode = code === undefined ? lines : [...lines, codeLine(code)];
  switch (order.format) {
    case "text":
      return receiptText(withCode, columns);
    case "json":
      return { copy, lines: withCode, text: receiptText(withCode, columns) };
    case "html":
      return receiptHtml(lines, columns, language, code);
    case "escpos":
      return Buffer.from(await receiptBytes(lines, columns, order.printing, code)).toString("base64");
  }
}
