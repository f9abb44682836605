/** One step of a payment as OpenTelemetry knows it. Times are epoch milliseconds of the payment's own time. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string;
  readonly name: string;
  readonly kind: "server" | "client" | "internal";
  readonly from: number;
  readonly to: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Something went wrong; a decline is nothing wrong. */
  readonly error?: string;
  /** The first step of another payment, to which this one belongs. */
  readonly link?: { readonly traceId: string; readonly spanId: string };
}
