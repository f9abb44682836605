import { codeOf, type Language, languages } from "../checkouts/widget/languages.ts";
import { type LinkWords, linkWords } from "./link-words.ts";

/** Language of a link's page: the link's `locale`, or English. */
export interface LinkLanguage {
  readonly words: LinkWords;
  readonly page: Language;
}

export function linkLanguage(locale: string | undefined): LinkLanguage {
  const code = codeOf(locale);
  return { words: linkWords[code], page: languages[code] };
}

export function filled(text: string, fields: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{([a-z]+)\}/g, (field, name: string) => fields[name] ?? field);
}
