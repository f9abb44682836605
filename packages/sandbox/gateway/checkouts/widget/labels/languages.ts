import { ar } from "./ar.ts";
import { bg } from "./bg.ts";
import { cn } from "./cn.ts";
import { cz } from "./cz.ts";
import { de } from "./de.ts";
import { dk } from "./dk.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fi } from "./fi.ts";
import { fr } from "./fr.ts";
import { gr } from "./gr.ts";
import { hu } from "./hu.ts";
import { it } from "./it.ts";
import { ja } from "./ja.ts";
import { ko } from "./ko.ts";
import type { Language } from "./language.ts";
import { nl } from "./nl.ts";
import { no } from "./no.ts";
import { pl } from "./pl.ts";
import { pt } from "./pt.ts";
import { ro } from "./ro.ts";
import { ru } from "./ru.ts";
import { se } from "./se.ts";
import { sk } from "./sk.ts";
import { sl } from "./sl.ts";
import { tr } from "./tr.ts";

/**
 * The hosted form's languages by the gateway's codes (specification, "Endpoints"), in its order. Some are country
 * codes: dk, se, cz, cn, gr.
 */
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

/** ISO 639 codes for languages that the gateway names otherwise. */
export const otherCodes: Readonly<Record<string, string>> = {
  da: "dk",
  sv: "se",
  cs: "cz",
  zh: "cn",
  el: "gr",
  nb: "no",
  nn: "no",
};

/** The gateway's code for a locale: "de", "de-AT" and "de_AT" are the same; unknown locales are English. */
export function codeOf(locale = "en"): string {
  const [code = ""] = locale.toLowerCase().split(/[-_]/);
  const own = Object.hasOwn(otherCodes, code) ? otherCodes[code] : code;
  return own !== undefined && Object.hasOwn(languages, own) ? own : "en";
}
