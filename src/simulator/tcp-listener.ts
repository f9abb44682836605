import { createServer, type Socket } from "node:net";
import type { SimulatedTerminal } from "./simulated-terminal.ts";

export interface TcpListener {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves a simulated terminal on a TCP port of the loopback interface. A new host replaces the previous one. An
 * unplugged terminal refuses hosts. Rejects if the port is taken (EADDRINUSE).
 */
export function serveTcp(terminal: SimulatedTerminal, port: number): Promise<TcpListener> {
  let current: Socket | undefined;
  const server = createServer((socket) => {
    current?.destroy();
    if (!terminal.plugged()) {
      socket.destroy();
      return;
    }
    current = socket;
    socket.setNoDelay(true);
    const attachment = terminal.attach((bytes) => socket.write(bytes), "tcp");
    socket.on("data", (bytes) => attachment.receive(new Uint8Array(bytes)));
    // A reset connection is gone too; "close" follows.
    socket.on("error", () => attachment.detach());
    socket.on("close", () => attachment.detach());
  });
  terminal.onPlug((plugged) => {
    if (!plugged) current?.destroy();
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: "127.0.0.1" }, () => {
      server.off("error", reject);
      const address = server.address();
      resolve({
        port: typeof address === "object" && address !== null ? address.port : port,
        close: () =>
          new Promise((closed) => {
            current?.destroy();
            server.close(() => closed());
          }),
      });
    });
  });
}
