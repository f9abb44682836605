import { connect } from "node:net";

/** Sends text to a port of this machine and gives all that comes back until the other side closes. */
function exchange(port: number, text: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(port, "127.0.0.1", () => socket.write(text));
  let answer = "";
  socket.setEncoding("latin1");
  socket.on("data", (data) => {
    answer += data;
    // An upgraded socket stays open: its answer is whole with the empty line.
    if (answer.startsWith("HTTP/1.1 101") && answer.includes("\r\n\r\n")) socket.destroy();
  });
  socket.on("error", reject);
  socket.on("close", () => resolve(answer));
  return promise;
}

export function get(port: number, path: string, headers: readonly string[], method = "GET"): Promise<string> {
  return exchange(port, [`${method} ${path} HTTP/1.1`, ...headers, "Connection: close", "", ""].join("\r\n"));
}

export function upgrade(port: number, path: string, headers: readonly string[]): Promise<string> {
  const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
  return exchange(
    port,
    [
      `GET ${path} HTTP/1.1`,
      ...headers,
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      key,
      "",
      "",
    ].join("\r\n"),
  );
}

export const statusOf = (answer: string): number => Number(answer.split(" ")[1]);
