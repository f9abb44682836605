import { createServer } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sendOut } from "../../../packages/sandbox/gateway/system-outgoing.ts";

const heard: string[] = [];
const server = createServer((request, response) => {
  if (request.url === "/silent") return;
  heard.push(`${request.method} ${request.url} ${request.headers["x-note"]}`);
  response
    .writeHead(request.url === "/moved" ? 302 : 202, { location: "http://127.0.0.1:1/elsewhere" })
    .end("what nobody reads");
});
let base = "";

beforeEach(async () => {
  heard.length = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
});
afterEach(
  () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
);

const send = (url: string, timeoutMs = 5_000) =>
  sendOut({ method: "POST", url, headers: { "x-note": "7" }, body: "{}", timeoutMs });

test("says which status came back, and follows no redirect", async () => {
  expect(await send(`${base}/hook`)).toEqual({ ok: true, status: 202 });
  expect(await send(`${base}/moved`)).toEqual({ ok: true, status: 302 });
  expect(heard).toEqual(["POST /hook 7", "POST /moved 7"]);
});

test.each([
  ["what is no address", "nowhere", /no http or https address/],
  ["an app's address", "shop://paid", /no http or https address/],
  ["a user that is no percent-encoded UTF-8", "http://a:%E0%A4%A@127.0.0.1/", /URI malformed/],
  ["a port where nobody listens", "http://127.0.0.1:1/", /ECONNREFUSED/],
])("never rejects: %s is a problem that it tells", async (_what, url, problem) => {
  expect(await send(url)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
});

test("does not wait for ever", async () => {
  expect(await send(`${base}/silent`, 50)).toMatchObject({ ok: false });
});
