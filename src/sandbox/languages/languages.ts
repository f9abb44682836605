import { ar } from "./labels/ar.ts";
import { bg } from "./labels/bg.ts";
import { cn } from "./labels/cn.ts";
import { cz } from "./labels/cz.ts";
import { de } from "./labels/de.ts";
import { dk } from "./labels/dk.ts";
import { en } from "./labels/en.ts";
import { es } from "./labels/es.ts";
import { fi } from "./labels/fi.ts";
import { fr } from "./labels/fr.ts";
import { gr } from "./labels/gr.ts";
import { hu } from "./labels/hu.ts";
import { it } from "./labels/it.ts";
import { ja } from "./labels/ja.ts";
import { ko } from "./labels/ko.ts";
import { nl } from "./labels/nl.ts";
import { no } from "./labels/no.ts";
import { pl } from "./labels/pl.ts";
import { pt } from "./labels/pt.ts";
import { ro } from "./labels/ro.ts";
import { ru } from "./labels/ru.ts";
import { se } from "./labels/se.ts";
import { sk } from "./labels/sk.ts";
import { sl } from "./labels/sl.ts";
import { tr } from "./labels/tr.ts";
import type { Language } from "./language.ts";

/** The languages of the hosted form and of a link's page under the gateway's own codes (specification, "Endpoints"), in its order. Some are a country's: dk, se, cz, cn, gr. */
export const languages: Readonly<Record<string, Language>> = {
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

/** Names that other systems of language codes have for the gateway's own. */
export const otherCodes: Readonly<Record<string, string>> = { da: "dk", sv: "se", cs: "cz", zh: "cn", el: "gr", nb: "no", nn: "no" };

/** The language of a locale: "de", "de-AT" and "de_AT" are the same here, and what is not known is English. */
export function languageOf(locale = "en"): Language {
  const [code = ""] = locale.toLowerCase().split(/[-_]/);
  const own = Object.hasOwn(otherCodes, code) ? otherCodes[code] : code;
  return (own !== undefined && Object.hasOwn(languages, own) ? languages[own] : undefined) ?? en;
}
