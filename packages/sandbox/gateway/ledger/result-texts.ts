import catalogue from "./result-codes.json" with { type: "json" };

/** All result codes with their texts, as in GET /v1/resultcodes (gateway facts, 1.4). */
export const resultTexts: ReadonlyMap<string, string> = new Map(Object.entries(catalogue));

/** Specification, "Response body": result.description is 0 to 255 characters. */
export function textOf(resultCode: string): string {
  return resultTexts.get(resultCode) ?? "";
}
