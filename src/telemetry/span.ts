/** One step of a payment in OpenTelemetry's terms. Times are epoch milliseconds of the payment's own time. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string;
  readonly name: string;
  readonly kind: "server" | "client" | "internal";
  readonly from: number;
  readonly to: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** A failure; a decline is none. */
  readonly error?: string;
  /** The root span of the original payment. */
  readonly link?: { readonly traceId: string; readonly spanId: string };
}
