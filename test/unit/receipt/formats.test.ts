import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isReasonCode, reasonOf } from "../../../src/payment/outcome/reason.ts";
import { type ReceiptView, viewForReceipt } from "../../../src/payment/outcome/view.ts";
import { PRINTER_COLUMNS, printerModels } from "../../../src/receipt/escpos.ts";
import { type ReceiptLanguage, receiptLanguageOf, receiptLanguages } from "../../../src/receipt/language.ts";
import { makeReceipt, type ReceiptOrder } from "../../../src/receipt/receipt.ts";
import { RECEIPT_COLUMNS, type ReceiptSource } from "../../../src/receipt/source.ts";
import { runsOf } from "../../support/dose.ts";
import { printOn } from "../../support/receipt-printer.ts";
import { approved, authorizing, refusal } from "../../support/sale.ts";

const merchant = { name: "Café Größe & Söhne", address: ["Straße 1", "60311 Frankfurt"], vatId: "DE123456789" };
const made = { date: "2026-01-15", time: "12:34:56" };
const source: ReceiptSource = { payment: viewForReceipt(approved().payment), merchant, made };
const declined = {
  ...source,
  payment: viewForReceipt(
    authorizing().answer(refusal()).meets({ on: "finished", verdict: "declined", chip: {} }).payment,
  ),
};
const printing = { cut: "partial", drawer: false } as const;
const order = (more: Partial<ReceiptOrder>): ReceiptOrder => ({
  copy: "customer",
  format: "text",
  columns: 42,
  language: "en",
  printing,
  ...more,
});

async function receiptAs(
  format: "text" | "html" | "escpos",
  more: Partial<ReceiptOrder> = {},
  of: ReceiptSource = source,
): Promise<string> {
  const receipt = await makeReceipt(of, order({ ...more, format }));
  return typeof receipt === "string" ? receipt : "";
}

const printed = async (more: Partial<ReceiptOrder> = {}, of = source) =>
  printOn(Buffer.from(await receiptAs("escpos", more, of), "base64"));
const content = (text: string): string => text.replaceAll(/\s/g, "");

/** The sale, with other words from its card and its register. */
function told(label: string, reference: string): ReceiptSource {
  const payment: ReceiptView = {
    ...source.payment,
    reference,
    emv: { aid: "A0000000031010", applicationLabel: label },
    card: { brand: label, entryMode: "ICC" },
  };
  return { ...source, payment };
}

/** A card that would write on the receipt, the screen or the printer whatever it likes. */
const HOSTILE = '<img src=x onerror="alert(1)">&\u001b@\u001dV\u0000\u202eDIV\u2028</main>';

describe("a receipt in another language", () => {
  test.each(receiptLanguages)("(%s) says all that the English one says, in words of its own", async (language) => {
    const [own, english] = await Promise.all([
      makeReceipt(declined, order({ format: "json", language })),
      makeReceipt(declined, order({ format: "json" })),
    ]);
    if (typeof own === "string" || typeof english === "string") throw new Error("not lines");
    expect(own.lines.map(({ key }) => key)).toEqual(english.lines.map(({ key }) => key));
    const words = ["type", "copy", "outcome", "reason"].map((key) => own.lines.find((line) => line.key === key)?.value);
    const theirs = ["type", "copy", "outcome", "reason"].map(
      (key) => english.lines.find((line) => line.key === key)?.value,
    );
    expect(words.every((word, at) => word !== undefined && (language === "en" || word !== theirs[at]))).toBe(true);
  });

  test.each([
    ["host-declined", undefined, "Die Bank der Karte hat abgelehnt."],
    ["retry-blocked", undefined, "Die Bank der Karte hat abgelehnt."],
    ["card-left-in", undefined, "Die Zahlung wurde nicht abgeschlossen."],
    ["bridge-restarted", undefined, "Die Zahlung wurde nicht abgeschlossen."],
    ["outcome-unknown", undefined, "Keine klare Antwort der Bank."],
    [
      "outcome-unknown",
      "The money was given back after all: settle it with the customer.",
      "The money was given back after all: settle it with the customer.",
    ],
    ["of-a-later-version", "Something new.", "Something new."],
  ])(
    "gives the reason %s (%s) as it is true",
    async (code, message = isReasonCode(code) ? reasonOf(code).message : code, said) => {
      const text = await receiptAs(
        "text",
        { language: "de", columns: 80 },
        { ...declined, payment: { ...declined.payment, reason: { code, message, advice: "wait" } } },
      );
      expect(text.split("\n").at(-1)?.trim()).toBe(said);
    },
  );

  test("writes amounts with the sign that it uses", async () => {
    expect(await receiptAs("text", { language: "de" })).toContain("12,34 EUR");
    expect(await receiptAs("text", { language: "en" })).toContain("12.34 EUR");
  });

  test("is found by a tag of any region, and none is made up", () => {
    expect(["de", "de-AT", "PT-br", "zh", "eng"].map(receiptLanguageOf)).toEqual([
      "de",
      "de",
      "pt",
      undefined,
      undefined,
    ]);
  });
});

describe("a receipt for a printer", () => {
  test.each(receiptLanguages)(
    "(%s) prints the text of the same receipt, with every letter of that language",
    async (language) => {
      const { lines } = await printed({ language });
      const text = await receiptAs("text", { language });
      expect(lines.filter((line) => line.trim() !== "").map((line) => line.trimEnd())).toEqual(
        text
          .split("\n")
          .filter((line) => line.trim() !== "")
          .map((line) => line.trimEnd()),
      );
    },
  );

  test("prints the shop, the amount and the outcome bold, feeds and cuts", async () => {
    const { bold, cuts, pulses, codes } = await printed();
    expect(bold.map((line) => line.replaceAll(/ {2,}/g, " "))).toEqual([
      "Café Größe & Söhne",
      "Amount 12.34 EUR",
      "APPROVED",
    ]);
    expect({ cuts, pulses, codes }).toEqual({ cuts: ["partial"], pulses: 0, codes: [] });
  });

  test("opens the drawer, cuts as it is told, and draws the register's code", async () => {
    const code = "https://till.example/r/4711?x=1&y=2";
    const { cuts, pulses, codes } = await printed({ printing: { cut: "full", drawer: true }, code });
    expect({ cuts, pulses, codes }).toEqual({ cuts: ["full"], pulses: 1, codes: [code] });
    expect((await printed({ printing: { cut: "none", drawer: false } })).cuts).toEqual([]);
  });

  test("keeps to the columns of any paper, whatever the shop is called", async () => {
    const name = fc.string({ unit: fc.constantFrom(..."ABC xyz-äßéłőñ€1"), minLength: 1, maxLength: 64 });
    const shop = fc.record({
      name,
      columns: fc.integer({ min: RECEIPT_COLUMNS.min, max: PRINTER_COLUMNS }),
      language: fc.constantFrom<ReceiptLanguage>(...receiptLanguages),
    });
    await fc.assert(
      fc.asyncProperty(shop, async ({ name, columns, language }) => {
        const { lines } = await printed({ columns, language }, { ...source, merchant: { ...merchant, name } });
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
        expect(content(lines.join(""))).toContain(content(name));
      }),
      { numRuns: runsOf(10, 200) },
    );
  });

  test.each(["日é€", "https://till.example/ä?x=1"])("draws the code as the camera is to read it: %s", async (code) => {
    expect((await printed({ code })).codes).toEqual([code]);
  });

  test.each(printerModels)("(%s) leaves no code out", async (model) => {
    const code = "V0;955002-00;12.34";
    const bytes = Buffer.from(
      await receiptAs("escpos", { code, columns: 32, printing: { ...printing, model } }),
      "base64",
    );
    expect(bytes.includes(code)).toBe(true);
  });

  test.each(["Ωμέγα Αθήνα", "Магазин"])("has the letters of a shop that is called %s", async (name) => {
    expect((await printed({}, { ...source, merchant: { ...merchant, name } })).lines.join("\n")).toContain(name);
  });

  test("lets no card give the printer orders", async () => {
    const hostile = told(HOSTILE, "4711");
    const { lines, cuts, pulses } = await printed({}, hostile);
    expect([cuts, pulses]).toEqual([["partial"], 0]);
    expect(content(lines.join(""))).toContain('<imgsrc=xonerror="alert(1)">&?@?V??DIV?</main>');
  });

  test("speaks the language of the model it is for", async () => {
    const star = Buffer.from(
      await receiptAs("escpos", { printing: { ...printing, model: "star-tsp650ii" } }),
      "base64",
    );
    expect(star.subarray(0, 2).toString("hex")).toBe("1b40");
    expect(star.includes(Buffer.from([0x1b, 0x64]))).toBe(true);
  });
});

describe("a receipt as a page", () => {
  test("is a whole document in its language, without scripts and without anything from elsewhere", async () => {
    const html = await receiptAs("html", { language: "de", copy: "merchant" });
    expect(html).toMatch(/^<!doctype html>\n<html lang="de">/);
    expect(html).toContain("Café Größe &amp; Söhne");
    expect(html).toContain("<dt>Betrag</dt><dd>12,34 EUR</dd>");
    expect(html).not.toMatch(/<script|<link|<img|src=|@import|url\(/);
  });

  test("escapes all that comes from cards and devices", async () => {
    const hostile = told(HOSTILE, `"><svg onload=x>'`);
    const html = await receiptAs("html", {}, hostile);
    expect(html).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;?@?V??DIV?&lt;/main&gt;");
    expect(html).toContain("&quot;&gt;&lt;svg onload=x&gt;&#39;");
    expect(html.match(/<(?!\/)[a-z]+/g)?.filter((tag) => /img|svg/.test(tag))).toEqual([]);
  });

  test("draws the register's code, and text has it as text", async () => {
    const code = "V0;955002-00;Kassenbeleg-V1;Beleg^12.34";
    expect(await receiptAs("html", { code })).toContain("<svg ");
    expect(await receiptAs("text", { code })).toMatch(/V0;955002-00;Kassenbeleg-V1;Beleg\^12\.34$/);
  });
});

test("a receipt of last year is the same today: it is made from the payment alone", async () => {
  for (const format of ["text", "html", "escpos"] as const)
    expect(await receiptAs(format)).toBe(await receiptAs(format));
});
