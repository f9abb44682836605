import type { Server } from "node:http";
import type { Socket } from "node:net";
import { createPlaces, type PlaceLimits } from "../kit/places.ts";

/**
 * TCP connections without a register's socket: requests, and silent ones. Register sockets have limits of their own.
 */
export const CONNECTIONS: PlaceLimits = { all: 256, perAddress: 32 };

/** Every connection of the port, from its first byte on. */
export interface Connections {
  /** The connection now carries a register's socket and gives its place here back. */
  upgraded(socket: Socket): void;
  /** Closes all connections, and every later one. */
  cutOff(): void;
}

/** A new connection replaces the oldest if all places are taken: a flood of silent ones must not lock clients out. */
export function holdConnections(
  server: Pick<Server, "on">,
  limits: PlaceLimits,
  crowdedOut: (socket: Socket) => void,
): Connections {
  /** Identified by both addresses: a TLS request refers to another object than the accepted connection. */
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
