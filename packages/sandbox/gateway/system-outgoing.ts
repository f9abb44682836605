import { type ClientRequest, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { OutgoingRequest, OutgoingResult, Send } from "./outgoing.ts";

/** Sends over the network without following redirects: the registered address counts. */
export const sendOut: Send = (request) =>
  new Promise<OutgoingResult>((resolve) => {
    try {
      const outgoing = open(request, (status) => resolve({ ok: true, status }));
      outgoing.once("error", (error) => resolve({ ok: false, problem: error.message }));
      outgoing.end(request.body);
    } catch (error) {
      // node:http throws for addresses that are valid but unusable, such as a user that is no percent-encoded UTF-8.
      resolve({ ok: false, problem: error instanceof Error ? error.message : String(error) });
    }
  });

function open(
  { method, url, headers, body, timeoutMs }: OutgoingRequest,
  answered: (status: number) => void,
): ClientRequest {
  const target = URL.parse(url);
  if (target === null || (target.protocol !== "http:" && target.protocol !== "https:"))
    throw new RangeError(`${url} is no http or https address`);
  const request = target.protocol === "https:" ? httpsRequest : httpRequest;
  const options = {
    method,
    headers: { ...headers, "content-length": Buffer.byteLength(body) },
    signal: AbortSignal.timeout(timeoutMs),
  };
  return request(target, options, (answer) => {
    answer.resume();
    answered(answer.statusCode ?? 0);
  });
}
