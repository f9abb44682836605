/** HTTPS as a port: one request, one outcome. No retries, no redirects; nothing is thrown. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From now until the last byte of the answer. */
  readonly deadlineMs: number;
}

/** Why no complete answer came. Absent: the network failed. */
export type HttpFault = "timeout" | "tls";

/**
 * `not-sent`: no connection could be made, so not one byte left and nothing is booked.
 * `broken`: no complete answer came for another reason; the payment may be booked.
 */
export type HttpOutcome =
  | {
      readonly is: "answered";
      readonly status: number;
      readonly location?: string;
      readonly date?: string;
      readonly body: string;
    }
  | { readonly is: "not-sent"; readonly detail: string; readonly fault?: HttpFault }
  | { readonly is: "broken"; readonly detail: string; readonly fault?: HttpFault };

export interface HttpExchange {
  exchange(request: HttpRequest): Promise<HttpOutcome>;
  /** Makes sure that a connection is open and fresh. */
  warm(): void;
  close(): Promise<void>;
}
