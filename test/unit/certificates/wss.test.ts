import { once } from "node:events";
import { connect } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { startBridge } from "../../contract/bridge.ts";
import { madeCertificates, servedBy } from "./shop-certificates.ts";

const HELLO = /"method":"bridge\.hello"/;

/** Opens a register's socket as a till on another machine does; resolves with its first message, or why there is none. */
async function opened(port: number, ca: string | undefined, servername: string) {
  const trusting = { ...(ca !== undefined && { ca }), servername };
  const socket = new WebSocket(`wss://127.0.0.1:${port}/v1`, [], trusting);
  onTestFinished(() => socket.terminate());
  const first = await new Promise<string>((resolve) => {
    socket.once("message", (message) => resolve(String(message)));
    socket.once("error", ({ message }) => resolve(message));
  });
  return { socket, first };
}

describe("wss by this machine's authority", () => {
  // The TLS of Node counts by the real clock.
  const now = Date.now();

  it("opens for a till that trusts the authority, and for no other", async () => {
    const shop = madeCertificates(now);
    await using bridge = await startBridge(undefined, { tls: servedBy(shop) });
    const { port } = bridge.server;
    const authority = shop.text("authority.crt");
    expect((await opened(port, authority, "bridge.shop.example")).first).toMatch(HELLO);
    expect((await opened(port, undefined, "bridge.shop.example")).first).toContain("unable to verify");
    expect((await opened(port, authority, "bank.example")).first).toContain("does not match certificate's altnames");
  });

  it("stays closed under a name outside of the constraints, though the authority's key signed it", async () => {
    const shop = madeCertificates(now);
    await using bridge = await startBridge(undefined, { tls: shop.stolen("bank.example") });
    const { first } = await opened(bridge.server.port, shop.text("authority.crt"), "bank.example");
    expect(first).toContain("permitted subtree violation");
  });

  it("takes a renewed certificate for new sockets, and keeps the open ones", async () => {
    const shop = madeCertificates(now);
    await using bridge = await startBridge(undefined, { tls: servedBy(shop) });
    const { port } = bridge.server;
    const ca = shop.text("authority.crt");
    const shown = async (): Promise<string> => {
      const socket = connect({ host: "127.0.0.1", port, ca, servername: "localhost" });
      await once(socket, "secureConnect");
      const { serialNumber } = socket.getPeerCertificate();
      socket.destroy();
      return serialNumber;
    };
    const { socket } = await opened(port, ca, "bridge.shop.example");
    const before = await shown();
    shop.book.create({ hosts: ["bridge.shop.example"], networks: [], replace: false });
    bridge.server.certify(servedBy(shop));
    expect(await shown()).not.toBe(before);
    const answer = once(socket, "message");
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session.open", params: { token: "none" } }));
    expect(String((await answer)[0])).toContain('"id":1');
    expect((await opened(port, ca, "bridge.shop.example")).first).toMatch(HELLO);
  });
});
