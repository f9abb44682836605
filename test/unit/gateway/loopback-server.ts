import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createSecureServer } from "node:http2";
import { createServer as createNetServer, type Server, type Socket } from "node:net";
import loopbackTls from "../../vectors/loopback-tls.json" with { type: "json" };

/** A real server on a loopback port; `connections` counts what was accepted. */
export interface LoopbackServer {
  readonly baseUrl: string;
  readonly connections: () => number;
  readonly sockets: readonly Socket[];
  stop(): Promise<void>;
}

async function listen(server: Server, scheme: "http" | "https"): Promise<LoopbackServer> {
  const sockets: Socket[] = [];
  server.on("connection", (socket: Socket) => {
    sockets.push(socket);
    socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening");
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  return { baseUrl: `${scheme}://127.0.0.1:${address.port}/`, connections: () => sockets.length, sockets, stop };
}

export function httpServer(serve: RequestListener): Promise<LoopbackServer> {
  return listen(createServer(serve), "http");
}

/** Offers HTTP/2 first, and HTTP/1.1 to those who do not want it. */
export function tlsServer(serve: (httpVersion: string) => string): Promise<LoopbackServer> {
  const server = createSecureServer({ key: loopbackTls.key, cert: loopbackTls.certificate, allowHTTP1: true });
  server.on("request", (request, response) => response.end(serve(request.httpVersion)));
  return listen(server, "https");
}

/** Does what it likes with each connection. */
export function rawServer(accept: (socket: Socket) => void): Promise<LoopbackServer> {
  return listen(createNetServer(accept), "http");
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
