import { isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import type { Path, Problem } from "./problem.ts";

/** A YAML text as plain values, with their lines. */
export interface YamlSource {
  readonly value: unknown;
  /** The line of the value at that path (or of its key); if missing, of the nearest value around it. */
  lineOf(path: Path, atKey?: boolean): number;
}

export type YamlReading =
  | { readonly ok: true; readonly source: YamlSource }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** A YAML bomb multiplies by aliases; a configuration needs few. */
const MAX_ALIASES = 100;

/** Reads one YAML 1.2 document. Errors name their line and never quote the text, which may contain a token. */
export function readYaml(text: string): YamlReading {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  const syntax = [...document.errors, ...document.warnings];
  if (syntax.length > 0) {
    return {
      ok: false,
      problems: syntax.map(({ code, pos }) => ({ line: lineAt(pos[0]), path: "", message: describe(code) })),
    };
  }
  const lineOf = (path: Path, atKey = false): number => {
    let offset = 0;
    let node: unknown = document.contents;
    for (const [depth, part] of path.entries()) {
      const step = descend(node, part);
      if (step === undefined) break;
      offset = atKey && depth === path.length - 1 ? step.keyOffset : step.offset;
      node = step.node;
    }
    return lineAt(offset);
  };
  try {
    return { ok: true, source: { value: document.toJS({ maxAliasCount: MAX_ALIASES }), lineOf } };
  } catch {
    const message = `has an alias (*name) that names nothing, or more than ${MAX_ALIASES} of them; write the values out`;
    return { ok: false, problems: [{ path: "", message }] };
  }
}

function descend(
  node: unknown,
  part: string | number,
): { node: unknown; offset: number; keyOffset: number } | undefined {
  if (isSeq(node) && typeof part === "number") {
    const item = node.items[part];
    const offset = offsetOf(item);
    return offset === undefined ? undefined : { node: item, offset, keyOffset: offset };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
  const keyOffset = offsetOf(pair?.key);
  if (pair === undefined || keyOffset === undefined) return undefined;
  // A block mapping begins below its key; a person looks for the key.
  const offset = isScalar(pair.value) ? (offsetOf(pair.value) ?? keyOffset) : keyOffset;
  return { node: pair.value, offset, keyOffset };
}

function offsetOf(node: unknown): number | undefined {
  if (typeof node !== "object" || node === null || !("range" in node) || !Array.isArray(node.range)) return undefined;
  const start: unknown = node.range[0];
  return typeof start === "number" ? start : undefined;
}

function describe(code: string): string {
  switch (code) {
    case "DUPLICATE_KEY":
      return "the same key stands here a second time; remove one of them";
    case "TAB_AS_INDENT":
      return "a tab is used as indentation; use spaces";
    case "MULTIPLE_DOCS":
      return "a second document begins here; keep one document a file";
    case "BAD_INDENT":
      return "the indentation does not fit the lines above; line the keys up";
    case "MISSING_CHAR":
      return "a quote, bracket or colon is missing; complete it";
    default:
      return `is not valid YAML (${code}); check quotes, colons and indentation on this line`;
  }
}
