import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";

/** What stands between a bridge and the sandbox: it sees every request, and can keep one to itself. */
export interface GatewayProxy {
  readonly url: string;
  /** Every request so far, as it came. */
  readonly seen: readonly { readonly head: string; readonly form: URLSearchParams }[];
  /** The next request of that payment type goes nowhere and is never answered. */
  swallow(paymentType: string): void;
  /** Resolves when nothing is left to be swallowed. */
  swallowed(): Promise<void>;
  close(): void;
}

export async function openGatewayProxy(sandboxUrl: string): Promise<GatewayProxy> {
  const seen: { head: string; form: URLSearchParams }[] = [];
  let wanted: string[] = [];
  let waiting: (() => void)[] = [];
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(Buffer.from(part));
    const body = Buffer.concat(parts);
    const form = new URLSearchParams(body.toString("utf8"));
    seen.push({ head: [`${incoming.method} ${incoming.url}`, ...incoming.rawHeaders].join("\n"), form });
    const paymentType = form.get("paymentType") ?? "";
    if (wanted.includes(paymentType)) {
      wanted = wanted.filter((one) => one !== paymentType);
      if (wanted.length > 0) return;
      for (const run of waiting) run();
      waiting = [];
      return;
    }
    forward(sandboxUrl, incoming, body, response);
  };
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    seen,
    swallow: (paymentType) => {
      wanted = [...wanted, paymentType];
    },
    swallowed: () => (wanted.length === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The same request under the sandbox's own name, which it insists on; a cut connection is passed on as one. */
function forward(
  sandboxUrl: string,
  { method, url = "/", headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): void {
  const target = new URL(url, sandboxUrl);
  const onward = request(target, { method, headers: { ...headers, host: target.host } }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
    answer.on("error", () => response.destroy());
  });
  onward.on("error", () => response.destroy());
  onward.end(body);
}
