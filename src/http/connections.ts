import type { Server } from "node:http";
import type { Socket } from "node:net";
import { createPlaces, type PlaceLimits } from "../kit/places.ts";

/** TCP connections that carry no register's socket: requests, and those that have said nothing yet. Register sockets have places of their own. */
export const CONNECTIONS: PlaceLimits = { all: 256, perAddress: 32 };

/** Every connection of the port, from its first byte on. */
export interface Connections {
  /** The connection carries a register's socket from now on, and gives its place here back. */
  upgraded(socket: Socket): void;
  /** Ends all of them, and whatever is accepted later. */
  cutOff(): void;
}

/** When all places are taken, the oldest connection is ended for the newest: a flood of silent ones keeps nobody out. */
export function holdConnections(server: Pick<Server, "on">, limits: PlaceLimits, crowdedOut: (socket: Socket) => void): Connections {
  /** By their two ends: a request over TLS names another object than the connection that was accepted. */
  const open = new Map<string, Socket>();
  const places = createPlaces<Socket>(limits);
  let closed = false;
  server.on("connection", (socket: Socket) => {
    if (closed) {
      socket.destroy();
      return;
    }
    const ends = endsOf(socket);
    open.set(ends, socket);
    const oldest = places.take(socket, socket.remoteAddress);
    if (oldest !== undefined) {
      crowdedOut(oldest);
      oldest.destroy();
    }
    socket.once("close", () => {
      places.leave(socket);
      if (open.get(ends) === socket) open.delete(ends);
    });
  });
  return {
    upgraded: (socket) => {
      const accepted = open.get(endsOf(socket));
      if (accepted !== undefined) places.leave(accepted);
    },
    cutOff: () => {
      closed = true;
      for (const socket of open.values()) socket.destroy();
    },
  };
}

function endsOf({ localAddress, localPort, remoteAddress, remotePort }: Socket): string {
  return [localAddress, localPort, remoteAddress, remotePort].join(" ");
}
