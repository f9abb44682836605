/** A request by the gateway: webhook, shopperResultUrl or notificationUrl. */
export interface OutgoingRequest {
  readonly method: "GET" | "POST";
  /** http or https. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

/** The answer's body is never read. */
export type OutgoingResult =
  | { readonly ok: true; readonly status: number }
  | { readonly ok: false; readonly problem: string };

/** Never rejects. */
export type Send = (request: OutgoingRequest) => Promise<OutgoingResult>;

/** For a gateway without network. */
export const unreachable: Send = () => Promise.resolve({ ok: false, problem: "this gateway has no network" });
