/** What the client needs of a WebSocket: the part that browsers and Node have in common. */
export interface WireSocket {
  send(text: string): void;
  close(code?: number, reason?: string): void;
}

export interface SocketEvents {
  text(text: string): void;
  closed(code: number, reason: string): void;
}

/** Opens a socket; each event may come from then on, `closed` exactly once and last. */
export type OpenSocket = (url: string, events: SocketEvents) => WireSocket;

/** The platform's own WebSocket: browsers have it, and Node from 22 on. */
export const platformSocket: OpenSocket = (url, events) => {
  const socket = new WebSocket(url);
  socket.addEventListener("message", ({ data }) => {
    if (typeof data === "string") events.text(data);
  });
  // An error is always followed by a close, and only the close says anything.
  socket.addEventListener("close", ({ code, reason }) => events.closed(code, reason));
  return { send: (text) => socket.send(text), close: (code, reason) => socket.close(code, reason) };
};
