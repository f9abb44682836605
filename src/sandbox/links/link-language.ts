import type { LinkWords } from "../languages/labels/words/link-words.ts";
import type { Language } from "../languages/language.ts";
import { languageOf } from "../languages/languages.ts";

/** A language of a link's page: that of the link's `locale`, or English. */
export interface LinkLanguage {
  readonly words: LinkWords;
  readonly page: Language;
}

export function linkLanguage(locale: string | undefined): LinkLanguage {
  const page = languageOf(locale);
  return { words: page.link, page };
}

/** A text with its fields filled in. */
export function filled(text: string, fields: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{([a-z]+)\}/g, (field, name: string) => fields[name] ?? field);
}
