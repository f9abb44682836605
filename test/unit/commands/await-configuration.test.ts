import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { expect, it } from "vitest";
import { miuraM020 } from "../../../drivers/miura-m020/driver.ts";
import { knownModels } from "../../../src/agent/models.ts";
import { awaitConfiguration } from "../../../src/commands/await-configuration.ts";
import { firstConfiguration } from "../../../src/commands/first-configuration.ts";
import type { ManagerTold } from "../../../src/commands/system-notify.ts";
import { setupPage } from "../../../src/http/setup-page.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { SMALLEST } from "../config/surroundings.ts";
import { freshFolder } from "../journal/folder.ts";
import { recordedOutput } from "./recorded-output.ts";

const LOOK_MS = 2_000;

interface Answer {
  readonly status: number | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

function get(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.get(address, { headers, agent: false }, (response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => {
        body += String(chunk);
      });
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body }));
    });
    request.on("error", reject);
  });
}

/** A bridge in a folder where no configuration is yet. */
async function waiting() {
  const folder = freshFolder();
  const place = path.join(folder, "posbridge.yaml");
  const clock = createVirtualClock(Date.UTC(2026, 10, 23));
  const lines: string[] = [];
  const log = (fields: object, text: string): void => void lines.push(`${text} ${JSON.stringify(fields)}`);
  const stop = Promise.withResolvers<void>();
  const served = Promise.withResolvers<string>();
  const configuration = awaitConfiguration({
    ...{ models: knownModels([miuraM020]), env: {}, clock, log: { info: log, warn: log }, place, port: 0 },
    find: () => (fs.existsSync(place) ? place : undefined),
    stopped: stop.promise,
    served: served.resolve,
  });
  const address = await served.promise;
  await clock.settle();
  const write = (text: string): void => {
    fs.writeFileSync(path.join(folder, "gateway-token"), "sandbox-token", { mode: 0o600 });
    fs.writeFileSync(place, text, { mode: 0o600 });
  };
  return { address, clock, configuration, lines, place, stop: stop.resolve, write };
}

it("says on a page, in the log and in readyz what to do, and goes on by itself once the configuration is sound", async () => {
  const { address, clock, configuration, lines, place, write } = await waiting();
  const page = await get(address);
  expect([page.status, page.headers["content-security-policy"]]).toEqual([
    200,
    expect.stringMatching(/default-src 'none'.*form-action 'none'/),
  ]);
  expect(page.body).toContain(`<pre>posbridge setup --config ${place}</pre>`);
  expect(page.body).not.toMatch(/<script|<form|http-equiv/);
  expect(lines).toEqual([
    expect.stringMatching(/^there is no configuration yet: nothing is sold.*posbridge setup --config/),
  ]);
  expect(await get(`${address}readyz`)).toMatchObject({
    status: 503,
    body: expect.stringContaining(`there is no configuration yet; type: posbridge setup --config ${place}`),
  });
  expect(await get(`${address}healthz`)).toMatchObject({ status: 200 });

  write(SMALLEST.replace("country: DE", "country: <b>"));
  await clock.advance(LOOK_MS);
  const wrong = await get(address);
  expect(wrong.body).toContain("cannot be used yet");
  expect(wrong.body).toContain("merchant.country: must be two capital letters");
  expect(JSON.parse((await get(`${address}readyz`)).body)).toMatchObject({
    ready: false,
    reasons: [expect.stringContaining("merchant.country: must be two capital letters")],
  });

  write(SMALLEST);
  await clock.advance(LOOK_MS);
  expect(await configuration).toMatchObject({ file: place, environment: "test" });
  await expect(get(address)).rejects.toThrow(/ECONNREFUSED/);
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^the configuration cannot be used yet/),
    expect.stringMatching(/^there is a configuration now/),
  ]);
});

it("answers no other name, takes no register, and ends when it is asked to stop", async () => {
  const { address, configuration, stop } = await waiting();
  expect(await get(address, { host: "evil.example" })).toMatchObject({ status: 403 });
  expect(await get(address, { origin: "https://evil.example" })).toMatchObject({ status: 403 });
  expect((await get(`${address}till/`)).status).toBe(404);
  const upgraded = await new Promise<number | undefined>((resolve, reject) => {
    const headers = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    };
    const request = http.get(`${address}v1`, { headers, agent: false }, ({ statusCode }) => resolve(statusCode));
    request.on("error", reject);
  });
  expect(upgraded).toBe(503);
  stop();
  expect(await configuration).toBeUndefined();
});

it("tells the service manager that the page is up, so that a service without a configuration is not ended", async () => {
  const config = path.join(freshFolder(), "posbridge.yaml");
  const stop = Promise.withResolvers<void>();
  const told = Promise.withResolvers<readonly string[]>();
  const manager: Pick<ManagerTold, "ready"> = { ready: async (reasons) => told.resolve(await reasons()) };
  const on = {
    waits: true,
    models: knownModels([miuraM020]),
    output: recordedOutput(),
    stopped: stop.promise,
    logLevel: "error",
    port: 0,
    manager,
  };
  const first = firstConfiguration({ config, ...on });
  expect(await told.promise).toEqual([
    expect.stringMatching(/^there is no configuration yet: http:\/\/127\.0\.0\.1:\d+\/ says what to do$/),
  ]);
  stop.resolve();
  expect(await first).toBeUndefined();
});

it("waits for a named file with problems, and says them on the page and in readyz at once", async () => {
  const config = path.join(freshFolder(), "posbridge.yaml");
  fs.writeFileSync(config, SMALLEST.replace("country: DE", "country: de"), { mode: 0o600 });
  const stop = Promise.withResolvers<void>();
  const told = Promise.withResolvers<readonly string[]>();
  const manager: Pick<ManagerTold, "ready"> = { ready: async (reasons) => told.resolve(await reasons()) };
  const on = {
    waits: true,
    models: knownModels([miuraM020]),
    output: recordedOutput(),
    stopped: stop.promise,
    logLevel: "error",
    port: 0,
    manager,
  };
  const first = firstConfiguration({ config, ...on });
  const [said = ""] = await Promise.race([told.promise, first.then(() => [])]);
  const address = /^the configuration cannot be used yet: (http:\S+)/.exec(said)?.[1] ?? "";
  expect((await get(address)).body).toContain("merchant.country: must be two capital letters");
  expect((await get(`${address}readyz`)).body).toContain("merchant.country: must be two capital letters");
  stop.resolve();
  expect(await first).toBeUndefined();
});

it("does not wait for a name that leads nowhere: it is most likely mistyped", async () => {
  const config = path.join(freshFolder(), "posbridge.yml");
  const output = recordedOutput();
  const manager = { ready: async () => undefined };
  const first = firstConfiguration({
    config,
    waits: false,
    models: [],
    output,
    stopped: output.stopped,
    logLevel: undefined,
    port: 0,
    manager,
  });
  await expect(first).rejects.toThrow(
    `${config} does not exist; check the path, or write one: posbridge setup --config ${config}`,
  );
  expect(output.stderr).toEqual([]);
});

it("says nothing on the page that a name could turn into markup", () => {
  const page = setupPage({
    version: "1",
    file: "/tmp/<i>.yaml",
    command: "posbridge setup --config '/tmp/<i>.yaml'",
    problems: ["<script>"],
  });
  expect(page).not.toMatch(/<i>|<script>/);
});
