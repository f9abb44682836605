import { german } from "./words/de.ts";
import { english } from "./words/en.ts";
import { spanish } from "./words/es.ts";
import { french } from "./words/fr.ts";
import { italian } from "./words/it.ts";
import { dutch } from "./words/nl.ts";
import { polish } from "./words/pl.ts";
import { portuguese } from "./words/pt.ts";
import type { ReceiptWords } from "./words/words.ts";

const WORDS = {
  en: english,
  de: german,
  es: spanish,
  fr: french,
  it: italian,
  nl: dutch,
  pl: polish,
  pt: portuguese,
} as const;

export type ReceiptLanguage = keyof typeof WORDS;

export const receiptLanguages = [
  "de",
  "en",
  "es",
  "fr",
  "it",
  "nl",
  "pl",
  "pt",
] as const satisfies readonly ReceiptLanguage[];

/** The language of a tag such as de-AT (BCP 47), or undefined where receipts are not written in it. */
export function receiptLanguageOf(tag: string): ReceiptLanguage | undefined {
  const primary = tag.split("-")[0]?.toLowerCase();
  return receiptLanguages.find((language) => language === primary);
}

export function receiptWords(language: ReceiptLanguage): ReceiptWords {
  return WORDS[language];
}
