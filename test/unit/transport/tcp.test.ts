import { createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { concat } from "../../../src/kit/bytes.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { type Link, LinkError } from "../../../src/terminal/link.ts";
import { openTcp, tcpError } from "../../../src/transport/tcp.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const servers: Server[] = [];
const links: Link[] = [];

afterEach(async () => {
  for (const link of links.splice(0)) await link.close();
  for (const server of servers.splice(0)) server.close();
});

/** A terminal at a real socket: the link, and the device's side of it. */
async function connected(): Promise<{ readonly link: Link; readonly device: Socket }> {
  const arrived = Promise.withResolvers<Socket>();
  const port = await listening((socket) => arrived.resolve(socket));
  const link = await openTcp({ host: "127.0.0.1", port }, { connectMs: 5_000, clock: systemClock });
  links.push(link);
  return { link, device: await arrived.promise };
}

async function listening(on: (socket: Socket) => void): Promise<number> {
  const server = createServer({ noDelay: true }, on);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

async function readAll(link: Link): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  for await (const chunk of link.incoming) read.push(chunk);
  return concat(...read);
}

describe("a TCP link", () => {
  test("carries bytes both ways and ends when the device hangs up", async () => {
    const { link, device } = await connected();
    const heard = new Promise<Buffer>((resolve) => device.once("data", resolve));
    await link.write(Uint8Array.of(0, 1, 0xff));
    expect(new Uint8Array(await heard)).toEqual(Uint8Array.of(0, 1, 0xff));
    device.end(Uint8Array.of(0xff, 0, 7));
    expect(await readAll(link)).toEqual(Uint8Array.of(0xff, 0, 7));
    await expect(link.write(Uint8Array.of(1))).rejects.toMatchObject({ code: "lost" });
  });

  test("throws to its reader when the connection is reset", async () => {
    const { link, device } = await connected();
    device.resetAndDestroy();
    await expect(readAll(link)).rejects.toMatchObject({ name: "LinkError", code: "lost" });
  });

  test("closing ends the reader, rejects writes that wait, and may be done twice", async () => {
    const { link, device } = await connected();
    device.pause();
    const read = readAll(link);
    const big = link.write(new Uint8Array(200_000));
    const stuck = Promise.allSettled([big, link.write(new Uint8Array(50_000))]);
    const [first, second] = [link.close(), link.close()];
    device.resume();
    await Promise.all([first, second]);
    expect(await read).toHaveLength(0);
    for (const write of await stuck) if (write.status === "rejected") expect(write.reason).toBeInstanceOf(LinkError);
    await expect(link.write(Uint8Array.of(1))).rejects.toMatchObject({ code: "lost" });
  });

  test("what was written before the close still arrives", async () => {
    const { link, device } = await connected();
    const heard: Buffer[] = [];
    device.on("data", (bytes) => void heard.push(bytes));
    const ended = new Promise<void>((resolve) => device.once("end", resolve));
    void link.write(new Uint8Array(100_000)).catch(() => undefined);
    await link.close();
    await ended;
    expect(Buffer.concat(heard)).toHaveLength(100_000);
  });

  test("a device that floods a reader who sleeps loses its link", async () => {
    const { link, device } = await connected();
    device.on("error", () => undefined);
    const gone = new Promise<void>((resolve) => device.once("close", () => resolve()));
    device.write(new Uint8Array(2_000_000));
    await gone;
    await expect(readAll(link)).rejects.toMatchObject({
      code: "failed",
      message: expect.stringContaining("nobody read"),
    });
  });
});

describe("opening", () => {
  test("where nothing listens says so with the address", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    await new Promise((resolve) => server.close(resolve));
    await expect(openTcp({ host: "127.0.0.1", port }, { connectMs: 5_000, clock: systemClock })).rejects.toMatchObject({
      code: "refused",
      message: `127.0.0.1:${port}: nothing listens there; is the terminal on, and is this its address and port?`,
    });
  });

  test("gives up after connectMs on a clock of its own", async () => {
    const clock = createVirtualClock(0);
    const opening = openTcp({ host: "192.0.2.1", port: 6543 }, { connectMs: 3_000, clock });
    const outcome = opening.then(
      () => "open",
      (error: LinkError) => error.code,
    );
    await clock.advance(3_000);
    expect(["timeout", "not-found"]).toContain(await outcome);
    expect(clock.pending()).toBe(0);
  });

  test.each([
    ["ECONNREFUSED", "refused"],
    ["ENOTFOUND", "not-found"],
    ["EHOSTUNREACH", "not-found"],
    ["ETIMEDOUT", "timeout"],
    ["EPIPE", "lost"],
    ["EACCES", "no-permission"],
    ["EWHATEVER", "failed"],
    ["toString", "failed"],
  ])("%s is told as %s, in one line that names the place", (code, expected) => {
    const error = tcpError("10.0.0.9:6543", Object.assign(new Error("raw"), { code }));
    expect(error.code).toBe(expected);
    expect(error.message).toMatch(/^10\.0\.0\.9:6543: [^\n]+$/);
  });
});
