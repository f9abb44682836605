import { type SourceFile, withoutStrings } from "./tree.ts";

/** A term of docs/glossary.md, and the words that the table refuses for it. */
export interface Term {
  readonly term: string;
  readonly inCode: readonly string[];
  readonly refused: readonly string[];
}

const quotedIn = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);

/** The rows of the glossary: term, meaning, in the code, not. */
export function termsOf(glossary: string): readonly Term[] {
  return [...glossary.matchAll(/^\| (.+) \| .+ \| (.+) \| (.+) \|$/gm)]
    .filter(([, term]) => term !== "term")
    .map(([, term = "", inCode = "", not = ""]) => ({ term, inCode: quotedIn(inCode), refused: quotedIn(not) }));
}

/** Refused words in names, comments and the path of a source file. */
export function refusedWords({ path, text }: SourceFile, terms: readonly Term[]): readonly string[] {
  return [
    ...found(separated(path), terms).map(({ says }) => `${path} ${says}`),
    ...inLines(path, separated(withoutStrings(text)), terms),
  ];
}

/** The same in the prose of a page: what it quotes as code is not its own. */
export function refusedInPage({ path, text }: SourceFile, terms: readonly Term[]): readonly string[] {
  const prose = text.replace(/^```[\s\S]*?^```$|^ {4}.*$|`[^`\n]+`|\]\([^)]+\)/gm, (code) =>
    code.replace(/[^\n]/g, " "),
  );
  return inLines(path, prose, terms);
}

/** Words of names written as one: cardReader, CARD_READER. */
function separated(text: string): string {
  return text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll("_", " ");
}

function inLines(path: string, text: string, terms: readonly Term[]): readonly string[] {
  return found(text, terms).map(({ at, says }) => `${path}:${text.slice(0, at).split("\n").length} ${says}`);
}

/** A phrase in a name may be joined by a dash, and any word may stand in the plural. */
function found(text: string, terms: readonly Term[]): readonly { readonly at: number; readonly says: string }[] {
  const words = terms.flatMap(({ refused }) => refused);
  const any = new RegExp(`\\b(${words.map((word) => word.replaceAll(" ", "[ -]?")).join("|")})s?\\b`, "gi");
  return [...text.matchAll(any)].map(({ 1: word = "", index }) => {
    const term = terms.find(({ refused }) => refused.some((one) => bare(one) === bare(word)));
    return { at: index, says: `${word.toLowerCase()}: the glossary says ${term?.term}` };
  });
}

function bare(word: string): string {
  return word.toLowerCase().replace(/[ -]/g, "");
}
