import { describe, expect, it } from "vitest";
import { methods } from "../../src/register/rpc/method-registry.ts";
import { startBridge } from "./bridge.ts";
import { get, statusOf } from "./raw-http.ts";
import { errorOf, talk } from "./talk.ts";

/** A socket introduces itself by these. */
const BEFORE_SESSION = ["session.open", "session.challenge", "session.pair"];
const PATHS = ["/", "/healthz", "/readyz", "/metrics", "/openrpc.json", "/v1"];

describe("a page in a browser of the till", () => {
  it("reads nothing over HTTP, even from an allowed origin: only the socket is open to it", async () => {
    await using bridge = await startBridge();
    const { port } = bridge.server;
    // A picture or a script of a page sends no Origin; the header of the answer keeps it from the page.
    for (const origin of [["Origin: https://till.example"], []])
      for (const path of PATHS) {
        const answer = (await get(port, path, [`Host: 127.0.0.1:${port}`, ...origin])).toLowerCase();
        expect(answer, path).toContain("cross-origin-resource-policy: same-origin");
        expect(answer, path).toContain("x-content-type-options: nosniff");
        expect(answer, path).not.toContain("access-control-");
      }
  });

  it("gets no permission for a request that a browser asks about first", async () => {
    await using bridge = await startBridge();
    const { port } = bridge.server;
    const asks = [
      `Host: 127.0.0.1:${port}`,
      "Origin: https://till.example",
      "Access-Control-Request-Method: POST",
      "Access-Control-Request-Private-Network: true",
    ];
    for (const path of PATHS) {
      const answer = (await get(port, path, asks, "OPTIONS")).toLowerCase();
      expect(statusOf(answer), path).toBe(404);
      expect(answer, path).not.toContain("access-control-");
    }
  });

  it("does nothing without a token: every other call is refused before its parameters are read", async () => {
    for (const { name } of methods.filter((method) => !BEFORE_SESSION.includes(method.name))) {
      const page = talk();
      expect(errorOf(await page.call(name, { reference: "r-1", nonsense: 1 })), name).toMatchObject({
        is: "unauthorized",
      });
      expect(page.payments.requests, name).toEqual([]);
    }
  });
});
