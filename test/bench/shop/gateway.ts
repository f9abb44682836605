import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { moment } from "../moment.ts";
import type { Mark } from "./marks.ts";

/** A gateway that approves everything at once, so that no side waits for it. */
export function serveQuickGateway(mark: (what: Mark["what"], side: string, at: number) => void): Promise<string> {
  let last = 0;
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    const came = moment();
    // Each side has an entity of its own.
    const side = form.get("entityId") ?? "";
    const isReservation = form.get("paymentType") === "PA";
    mark(isReservation ? "posted" : "captured", side, came);
    last += 1;
    const reply = Buffer.from(JSON.stringify(replyTo(form, last)));
    response.writeHead(200, { "content-type": "application/json;charset=UTF-8", "content-length": reply.length });
    response.end(reply);
    if (isReservation) mark("replied", side, moment());
  });
  server.keepAliveTimeout = 600_000;
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`);
    });
  });
}

/** The members that the sandbox sends for a test card in the gateway's own test mode. */
function replyTo(form: URLSearchParams, number: number): object {
  const id = number.toString(16).padStart(32, "b");
  const paymentType = form.get("paymentType");
  const common = {
    ...{ id, paymentType, paymentMethod: "CC", shortId: "7963.7376.1816" },
    ...{ amount: form.get("amount"), currency: form.get("currency") },
    merchantTransactionId: form.get("merchantTransactionId"),
    result: {
      code: "000.100.110",
      description: "Request successfully processed in 'Merchant in Integrator Test Mode'",
    },
    paymentBrand: "VISA",
    buildNumber: "5a0db0c5a0db0c5a0db0c5a0db0c5a0db0c5a0db@2026-01-15 09:30:00 +0000",
    timestamp: "2026-01-15 09:30:00.000+0000",
    ndc: "8a8294174b7ecb28014b9699220015ca_b1a3f6279f5b79fdae596571438879c2",
  };
  if (paymentType !== "PA") return common;
  return {
    ...common,
    card: { bin: "476134", last4Digits: "0050", expiryMonth: "12", expiryYear: "2031" },
    resultDetails: { AcquirerResponse: "00", ConnectorTxID1: "166246593069", AuthCode: "528784" },
    pos: { merchantId: "SANDBOX00000001", iccDataResponse: "8A023030", statusText: "APPROVED" },
  };
}
