/** HTTPS as a port: one request, one outcome, no retries, no redirects followed, nothing thrown. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From now until the last byte of the answer. */
  readonly deadlineMs: number;
}

/** Why no whole answer came, where it was not the network itself. */
export type HttpFault = "timeout" | "tls";

/**
 * - `not-sent`: proven that not one byte of the request left (the connection could not be made), so nothing can have been booked;
 * - `broken`: anything else that did not end in a whole answer: it may have been booked.
 */
export type HttpOutcome =
  | { readonly is: "answered"; readonly status: number; readonly location?: string; readonly date?: string; readonly body: string }
  | { readonly is: "not-sent"; readonly detail: string; readonly fault?: HttpFault }
  | { readonly is: "broken"; readonly detail: string; readonly fault?: HttpFault };

export interface HttpExchange {
  exchange(request: HttpRequest): Promise<HttpOutcome>;
  /** Makes sure a connection is open and fresh. */
  warm(): void;
  close(): Promise<void>;
}
