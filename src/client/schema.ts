/** One deviation of a value from its schema, in zod's terms. */
export interface SchemaIssue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** For `unrecognized_keys`. */
  readonly keys?: readonly string[];
}

/** Reads a message. The sources use zod's schemas; the package brings shapes made from them (`shape.ts`). */
export interface Schema<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } };
}
