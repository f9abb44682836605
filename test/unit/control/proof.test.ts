import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { controlAddress, pipeOf } from "../../../src/control/address.ts";
import { askDaemon } from "../../../src/control/client.ts";
import { lineOf } from "../../../src/control/lines.ts";
import { ping } from "../../../src/control/methods.ts";
import { type Greeting, greeter, helloOf, introduced, proofOf } from "../../../src/control/proof.ts";
import { secretFile, writeSecret } from "../../../src/control/secret-file.ts";
import { serveControl } from "../../../src/control/server.ts";
import { Secret } from "../../../src/kit/secret.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { refusingHandlers } from "../../support/refusing-handlers.ts";

const SECRET = new Secret("the secret of this start");
const [OURS, THEIRS] = ["1".repeat(64), "2".repeat(64)];

function folder(): string {
  const made = fs.mkdtempSync(path.join(tmpdir(), "posbridge-proof-"));
  onTestFinished(() => fs.rmSync(made, { recursive: true }));
  return made;
}

async function serve(dataDir: string): Promise<() => Promise<void>> {
  const answering = {
    ...refusingHandlers,
    ping: async () => ({ ok: true, value: { bridge: "brg_1", version: "1", pid: 7 } }) as const,
  };
  const server = await serveControl({ dataDir, clock: systemClock, handlers: answering, problem: () => undefined });
  onTestFinished(() => server.close());
  return server.close;
}

/** Listens in place of the daemon and keeps every line that it is told. */
async function squat(dataDir: string, says: (line: string) => object): Promise<readonly string[]> {
  const heard: string[] = [];
  const server = net.createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      heard.push(chunk.toString());
      socket.write(lineOf(says(chunk.toString())));
    });
  });
  server.listen(controlAddress(dataDir));
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return heard;
}

/** What the daemon's side makes of these lines. */
function greetings(lines: readonly object[], secret = SECRET): readonly Greeting["is"][] {
  const greet = greeter(secret, THEIRS);
  return lines.map((line) => greet(JSON.stringify(line)).is);
}

describe("a daemon believes a caller", () => {
  const nonces = { command: OURS, daemon: THEIRS };

  it.each<[string, readonly object[], readonly Greeting["is"][]]>([
    [
      "that answers its nonce with the secret",
      [helloOf(OURS), { proof: proofOf(SECRET, "command", nonces) }],
      ["say", "proven"],
    ],
    [
      "not with another secret",
      [helloOf(OURS), { proof: proofOf(new Secret("another"), "command", nonces) }],
      ["say", "refused"],
    ],
    [
      "not with the daemon's own proof sent back",
      [helloOf(OURS), { proof: proofOf(SECRET, "daemon", nonces) }],
      ["say", "refused"],
    ],
    [
      "not with a proof of another connection",
      [helloOf(OURS), { proof: proofOf(SECRET, "command", { command: OURS, daemon: OURS }) }],
      ["say", "refused"],
    ],
    [
      "not with a proof that is cut short",
      [helloOf(OURS), { proof: proofOf(SECRET, "command", nonces).slice(0, 8) }],
      ["say", "refused"],
    ],
    ["not with a request instead of a greeting", [{ id: 1, method: "ping", params: {} }], ["refused"]],
    [
      "not with a request instead of a proof",
      [helloOf(OURS), { id: 1, method: "ping", params: {} }],
      ["say", "refused"],
    ],
    ["not with a proof before its nonce", [{ proof: proofOf(SECRET, "command", nonces) }], ["refused"]],
  ])("%s", (_, lines, expected) => {
    expect(greetings(lines)).toEqual(expected);
  });

  it("and a line of anything else is refused, whatever it is", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
        expect(greeter(SECRET, THEIRS)(line)).toEqual({ is: "refused" });
        expect(introduced(SECRET, OURS, line)).toEqual({ is: "other" });
      }),
    );
  });
});

describe("a command believes a daemon", () => {
  const challenge = (secret: Secret<string>): string => {
    const greeting = greeter(secret, THEIRS)(JSON.stringify(helloOf(OURS)));
    return JSON.stringify(greeting.is === "say" ? greeting.message : {});
  };

  it("that knows the secret, and no other one", () => {
    expect(introduced(SECRET, OURS, challenge(SECRET))).toMatchObject({ is: "proven" });
    expect(introduced(SECRET, OURS, challenge(new Secret("another")))).toEqual({ is: "stranger" });
    expect(introduced(SECRET, THEIRS, challenge(SECRET))).toEqual({ is: "stranger" });
    expect(introduced(undefined, OURS, challenge(SECRET))).toEqual({ is: "stranger" });
  });

  it("and tells a squatter nothing but its own nonce", async () => {
    const dataDir = folder();
    writeSecret(dataDir, SECRET);
    const heard = await squat(dataDir, () => ({
      nonce: THEIRS,
      proof: proofOf(new Secret("a guess"), "daemon", { command: OURS, daemon: THEIRS }),
    }));
    await expect(askDaemon({ dataDir, clock: systemClock }, ping, {})).rejects.toThrow(
      `what listens on ${controlAddress(dataDir)} does not know the secret of ${dataDir}: it is not this folder's daemon; find that program and end it`,
    );
    expect(heard.map((line): unknown => JSON.parse(line))).toEqual([
      { hello: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
  });
});

describe("the daemon's secret", () => {
  it("that this user may not read is named, with who may", async () => {
    const dataDir = folder();
    await serve(dataDir);
    fs.rmSync(secretFile(dataDir));
    fs.mkdirSync(secretFile(dataDir));
    const words =
      /control\.secret cannot be read \(EISDIR.*\); run this command as the user of the bridge, or as an administrator$/;
    await expect(askDaemon({ dataDir, clock: systemClock }, ping, {})).rejects.toThrow(words);
    fs.rmdirSync(secretFile(dataDir));
  });

  it("is new at each start, closed to others, and gone with the daemon", async () => {
    const dataDir = folder();
    const read = (): string => fs.readFileSync(secretFile(dataDir), "utf8");
    const close = await serve(dataDir);
    const first = read();
    expect(first).toMatch(/^[0-9a-f]{64}\n$/);
    expect(fs.statSync(secretFile(dataDir)).mode & 0o777).toBe(0o600);
    await close();
    expect(fs.existsSync(secretFile(dataDir))).toBe(false);
    await serve(dataDir);
    expect(read()).not.toBe(first);
    expect(await askDaemon({ dataDir, clock: systemClock }, ping, {})).toMatchObject({ is: "answered" });
  });

  it("keeps out whoever reaches the socket and cannot read it", async () => {
    const dataDir = folder();
    await serve(dataDir);
    const socket = net.connect(controlAddress(dataDir));
    socket.write(
      `${lineOf(helloOf(OURS))}${lineOf({ proof: THEIRS })}${lineOf({ id: 1, method: "ping", params: {} })}`,
    );
    const heard: string[] = [];
    socket.on("data", (chunk) => heard.push(chunk.toString()));
    await once(socket, "close");
    const [challenge, refusal, ...more] = heard.join("").trim().split("\n");
    expect([JSON.parse(challenge ?? ""), JSON.parse(refusal ?? ""), more]).toEqual([
      { nonce: expect.any(String), proof: expect.any(String) },
      {
        id: null,
        error: {
          code: "bad-request",
          message: expect.stringContaining("did not prove that it knows this data folder's secret"),
        },
      },
      [],
    ]);
  });
});

describe("the pipe of a data folder on Windows", () => {
  it.each([
    ["C:\\ProgramData\\posbridge", "c:\\programdata\\POSBRIDGE", true],
    ["C:\\ProgramData\\posbridge", "C:/ProgramData/posbridge/", true],
    ["C:\\ProgramData\\posbridge", "D:\\ProgramData\\posbridge", false],
    ["C:\\Kasse Süd\\data", "C:\\Kasse Süd\\data2", false],
  ])("%j and %j", (one, other, isSame) => {
    expect(pipeOf(one) === pipeOf(other)).toBe(isSame);
    expect(pipeOf(one)).toMatch(/^\\\\\.\\pipe\\posbridge-[0-9a-f]{32}$/);
  });

  it("is where a command looks there", () => {
    const dataDir = folder();
    expect(controlAddress(dataDir, "windows")).toBe(pipeOf(dataDir));
  });
});
