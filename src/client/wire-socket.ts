/** The part of a WebSocket that browsers and Node have in common. */
export interface WireSocket {
  send(text: string): void;
  close(code?: number, reason?: string): void;
}

export interface SocketEvents {
  text(text: string): void;
  closed(code: number, reason: string): void;
}

/** Opens a socket. Events may come at once; `closed` comes exactly once, as the last. */
export type OpenSocket = (url: string, events: SocketEvents) => WireSocket;

/** The platform's own WebSocket: browsers have it, and Node from 22 on. */
export const platformSocket: OpenSocket = (url, events) => {
  const socket = new WebSocket(url);
  socket.addEventListener("message", ({ data }) => {
    if (typeof data === "string") events.text(data);
  });
  // A close always follows an error, and only the close carries a reason.
  socket.addEventListener("close", ({ code, reason }) => events.closed(code, reason));
  return { send: (text) => socket.send(text), close: (code, reason) => socket.close(code, reason) };
};
