/** The host's response for the card (EMV Book 3, 6.5.4 and Book 4, 12.2). Values in upper-case hexadecimal. */
export interface IssuerResponse {
  readonly verdict: "approved" | "declined" | "unable-to-go-online";
  /**
   * Authorization response code, tag 8A: two ASCII characters as four hexadecimal digits. Always agrees with `verdict`.
   */
  readonly arc: string;
  /** Issuer authentication data, tag 91. */
  readonly authentication?: string | undefined;
  /** Issuer scripts as received: the complete values of 71 and 72, in order. */
  readonly scripts: readonly { readonly tag: "71" | "72"; readonly value: string }[];
}
