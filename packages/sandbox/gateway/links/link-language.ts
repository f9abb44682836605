import { en as english } from "../checkouts/widget/labels/en.ts";
import type { Language } from "../checkouts/widget/labels/language.ts";
import { codeOf, languages } from "../checkouts/widget/labels/languages.ts";
import { ar } from "./words/ar.ts";
import { bg } from "./words/bg.ts";
import { cn } from "./words/cn.ts";
import { cz } from "./words/cz.ts";
import { de } from "./words/de.ts";
import { dk } from "./words/dk.ts";
import { en } from "./words/en.ts";
import { es } from "./words/es.ts";
import { fi } from "./words/fi.ts";
import { fr } from "./words/fr.ts";
import { gr } from "./words/gr.ts";
import { hu } from "./words/hu.ts";
import { it } from "./words/it.ts";
import { ja } from "./words/ja.ts";
import { ko } from "./words/ko.ts";
import type { LinkWords } from "./words/link-words.ts";
import { nl } from "./words/nl.ts";
import { no } from "./words/no.ts";
import { pl } from "./words/pl.ts";
import { pt } from "./words/pt.ts";
import { ro } from "./words/ro.ts";
import { ru } from "./words/ru.ts";
import { se } from "./words/se.ts";
import { sk } from "./words/sk.ts";
import { sl } from "./words/sl.ts";
import { tr } from "./words/tr.ts";

/** By the gateway's codes, like the hosted form's languages. */
export const linkWords: Readonly<Record<string, LinkWords>> = {
  en,
  de,
  fr,
  es,
  it,
  nl,
  dk,
  fi,
  se,
  tr,
  ja,
  sl,
  pt,
  pl,
  cz,
  hu,
  bg,
  ro,
  ru,
  cn,
  gr,
  no,
  sk,
  ar,
  ko,
};

/** Language of a link's page: the link's `locale`, or English. */
export interface LinkLanguage {
  readonly words: LinkWords;
  readonly page: Language;
}

export function linkLanguage(locale: string | undefined): LinkLanguage {
  const code = codeOf(locale);
  return { words: linkWords[code] ?? en, page: languages[code] ?? english };
}

export function filled(text: string, fields: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{([a-z]+)\}/g, (field, name: string) => fields[name] ?? field);
}
