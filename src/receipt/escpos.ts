import type ReceiptPrinterEncoder from "@point-of-sale/receipt-printer-encoder";
import type { ReceiptPrinterEncoderOptions } from "@point-of-sale/receipt-printer-encoder";
import { receiptRows } from "./rows.ts";
import { codeLine, type ReceiptLine } from "./source.ts";

export type PrinterModel = NonNullable<ReceiptPrinterEncoderOptions["printerModel"]>;

/**
 * Printers whose code pages, cutter and language are known. Without a model the bytes are those of an Epson TM, which
 * most others understand.
 */
export const printerModels = [
  "bixolon-srp350",
  "bixolon-srp350iii",
  "citizen-ct-s310ii",
  "epson-tm-m30ii",
  "epson-tm-m30iii",
  "epson-tm-p20ii",
  "epson-tm-t20ii",
  "epson-tm-t20iii",
  "epson-tm-t20iv",
  "epson-tm-t70",
  "epson-tm-t70ii",
  "epson-tm-t88ii",
  "epson-tm-t88iii",
  "epson-tm-t88iv",
  "epson-tm-t88v",
  "epson-tm-t88vi",
  "epson-tm-t88vii",
  "fujitsu-fp1000",
  "hp-a779",
  "metapace-t1",
  "mpt-ii",
  "pos-5890",
  "pos-8360",
  "star-mc-print2",
  "star-mpop",
  "star-sm-l200",
  "star-tsp100iii",
  "star-tsp100iv",
  "star-tsp650",
  "star-tsp650ii",
  "sunmi",
  "xprinter-xp-n160ii",
  "xprinter-xp-t80q",
  "youku-58t",
] as const satisfies readonly PrinterModel[];

export interface Printing {
  readonly model?: PrinterModel;
  readonly cut: "full" | "partial" | "none";
  /** Opens the cash drawer that hangs on the printer. */
  readonly drawer: boolean;
}

/** Widths of paper that the encoder knows, in characters of font A. */
const PAPER = [32, 35, 42, 44, 48] as const;
export const PRINTER_COLUMNS = 48;

/** Epson TM-m30, ESC t: pages that most printers have, for Latin, Greek and Cyrillic letters and the euro sign. */
const CODE_PAGES = [
  "cp437",
  "cp858",
  "cp852",
  "cp860",
  "cp863",
  "cp865",
  "cp857",
  "cp737",
  "cp866",
  "windows1252",
  "windows1250",
  "windows1253",
] as const;

const BOLD: readonly string[] = ["merchant", "outcome", "amount"];
/** Modules of a QR code in dots: 50 modules are 37 mm at 203 dpi. */
const QR = { model: 2, size: 6, errorlevel: "m" } as const;
/** Printers for which the encoder knows no QR codes. */
const WITHOUT_QR: readonly PrinterModel[] = [
  "bixolon-srp350",
  "epson-tm-t88ii",
  "epson-tm-t88iii",
  "metapace-t1",
  "mpt-ii",
  "star-tsp650",
];

/**
 * The bytes for a receipt printer of at most 48 columns. `code`: stands below, as a QR code where the printer draws
 * those.
 */
export async function receiptBytes(
  lines: readonly ReceiptLine[],
  columns: number,
  printing: Printing,
  code: string | undefined,
): Promise<Uint8Array> {
  const encoder = await openEncoder(columns, printing);
  encoder.initialize().codepage("auto");
  if (printing.drawer) encoder.pulse();
  for (const { key, text } of receiptRows(lines, columns)) {
    const isBold = BOLD.includes(key);
    if (key === "signature") encoder.newline(2);
    if (isBold) encoder.bold(true);
    encoder.line(text);
    if (isBold) encoder.bold(false);
  }
  if (code !== undefined) addCode(encoder, code, columns, printing);
  encoder.newline(4);
  if (printing.cut !== "none") encoder.cut(printing.cut);
  return encoder.encode();
}

function addCode(encoder: ReceiptPrinterEncoder, code: string, columns: number, { model }: Printing): void {
  encoder.newline();
  if (model !== undefined && WITHOUT_QR.includes(model)) {
    for (const { text } of receiptRows([codeLine(code)], columns)) encoder.line(text);
    return;
  }
  // The encoder takes each character for a byte: those of UTF-8 are what a camera reads.
  const bytes = Buffer.from(code, "utf8").toString("latin1");
  encoder.align("center").qrcode(bytes, QR).align("left");
}

/** Loaded with the first such receipt: most shops print text. */
async function openEncoder(columns: number, { model }: Printing): Promise<ReceiptPrinterEncoder> {
  const { default: Encoder } = await import("@point-of-sale/receipt-printer-encoder");
  const plain = {
    language: "esc-pos" as const,
    codepageMapping: "epson" as const,
    codepageCandidates: [...CODE_PAGES],
  };
  const paper = PAPER.find((width) => width >= columns) ?? PRINTER_COLUMNS;
  return new Encoder({ columns: paper, ...(model === undefined ? plain : { printerModel: model }) });
}
