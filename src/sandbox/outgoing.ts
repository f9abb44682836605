/** A request that this gateway makes: a webhook, a call to shopperResultUrl or notificationUrl. */
export interface OutgoingRequest {
  readonly method: "GET" | "POST";
  /** http or https. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

/** What came of it. The body of the answer is never read. */
export type OutgoingResult = { readonly ok: true; readonly status: number } | { readonly ok: false; readonly problem: string };

/** Never rejects. */
export type Send = (request: OutgoingRequest) => Promise<OutgoingResult>;

/** For a gateway without a network. */
export const unreachable: Send = () => Promise.resolve({ ok: false, problem: "this gateway has no network" });
