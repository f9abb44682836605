import { afterEach, expect, test } from "vitest";
import { createHttps } from "../../../src/gateway/https.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { httpServer } from "./loopback-server.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

test("a connection that rested while the machine slept is not used again", async () => {
  const server = await httpServer((_, response) => response.end("ok"));
  const http = createHttps({ baseUrl: server.baseUrl, clock: createVirtualClock(0) });
  ends.push(server.stop, () => http.close());
  const ask = () =>
    http.exchange({ method: "GET", url: `${server.baseUrl}v1/payments`, headers: {}, deadlineMs: 30_000 });
  expect([await ask(), await ask()]).toMatchObject([{ is: "answered" }, { is: "answered" }]);
  expect(server.connections()).toBe(1);
  http.forgetResting();
  expect(await ask()).toMatchObject({ is: "answered" });
  expect(server.connections()).toBe(2);
});
