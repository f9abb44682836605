/** Names and values of a form, in the order of the body. */
export type FormFields = readonly (readonly [name: string, value: string])[];

/** JSON in which a member may be undefined. */
export type Nested =
  | null
  | boolean
  | number
  | string
  | readonly Nested[]
  | { readonly [key: string]: Nested | undefined };

export type Decoded<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string };

/** Longest form that is read: a cart of a thousand described items is about 250 KiB. */
export const MAX_FORM_CHARACTERS = 1_048_576;
export const MAX_FORM_FIELDS = 10_000;
/** Longest name that is read; the specification's own names end at 100 characters. */
export const MAX_NAME_CHARACTERS = 200;
/** Deepest nesting of names; the specification's own end at five parts ("cart.items[n].recipient.city"). */
export const MAX_DEPTH = 8;

/**
 * application/x-www-form-urlencoded in UTF-8 (specification, "Endpoints"; WHATWG URL, section 5). A lone surrogate has
 * no UTF-8 and becomes U+FFFD.
 */
export function encodeForm(fields: FormFields): string {
  let form = "";
  for (const [name, value] of fields) form += `${form === "" ? "" : "&"}${percentEncode(name)}=${percentEncode(value)}`;
  return form;
}

/** Characters that need no escape. Nearly all names and values of a payment consist of them. */
const PLAIN = /^[A-Za-z0-9*._-]*$/;

function percentEncode(text: string): string {
  if (PLAIN.test(text)) return text;
  const strict = encodeURIComponent(text.toWellFormed()).replace(
    /[!'()~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return strict.replaceAll("%20", "+");
}

/**
 * Reads a form strictly, in its order. Broken escapes, bytes that are not UTF-8 and repeated names are errors that name
 * the field. Never throws.
 */
export function decodeForm(body: string): Decoded<ReadonlyMap<string, string>> {
  if (body.length > MAX_FORM_CHARACTERS)
    return { ok: false, error: `the form is longer than ${MAX_FORM_CHARACTERS} characters` };
  const parts = body.split("&", MAX_FORM_FIELDS + 1).filter((part) => part !== "");
  if (parts.length > MAX_FORM_FIELDS) return { ok: false, error: `the form has more than ${MAX_FORM_FIELDS} fields` };
  const fields = new Map<string, string>();
  for (const part of parts) {
    const equals = part.indexOf("=");
    const name = percentDecode(equals < 0 ? part : part.slice(0, equals));
    const value = percentDecode(equals < 0 ? "" : part.slice(equals + 1));
    if (name === undefined || name === "" || name.length > MAX_NAME_CHARACTERS)
      return { ok: false, error: `the name of field ${fields.size + 1} is not valid` };
    if (value === undefined) return { ok: false, error: `${name} is not percent-encoded UTF-8` };
    if (fields.has(name)) return { ok: false, error: `${name} is sent twice` };
    fields.set(name, value);
  }
  return { ok: true, value: fields };
}

function percentDecode(text: string): string | undefined {
  if (!text.includes("%") && !text.includes("+")) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

/** Logs show the length of each value only: values may be card data. */
export function lengthsOf(fields: FormFields): Readonly<Record<string, number>> {
  const lengths: Record<string, number> = {};
  for (const [name, value] of fields) lengths[name] = value.length;
  return lengths;
}

/**
 * `{ cart: { items: [{ name: "Tea" }] } }` becomes `cart.items[0].name=Tea`. Groups in `keyed` have free names:
 * `customParameters[key]`. Null makes no field. Below MAX_DEPTH, the path becomes an empty field, which validation
 * refuses by name.
 */
export function flatten(nested: Nested | undefined, keyed: ReadonlySet<string>): FormFields {
  return fieldsAt("", nested, keyed, 0);
}

function fieldsAt(path: string, nested: Nested | undefined, keyed: ReadonlySet<string>, depth: number): FormFields {
  if (nested === null || nested === undefined) return [];
  if (typeof nested !== "object") return [[path, String(nested)]];
  if (depth > MAX_DEPTH) return [[path, ""]];
  if (isList(nested)) return nested.flatMap((entry, index) => fieldsAt(`${path}[${index}]`, entry, keyed, depth + 1));
  return Object.entries(nested).flatMap(([key, entry]) =>
    fieldsAt(memberPath(path, key, keyed), entry, keyed, depth + 1),
  );
}

const isList = (
  nested: readonly Nested[] | { readonly [key: string]: Nested | undefined },
): nested is readonly Nested[] => Array.isArray(nested);

function memberPath(path: string, key: string, keyed: ReadonlySet<string>): string {
  if (path === "") return key;
  return keyed.has(path) ? `${path}[${key}]` : `${path}.${key}`;
}
