import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { simulators } from "../../drivers/simulators.ts";
import { connectRegister } from "../../src/client/client.ts";
import { demoCommand } from "../../src/commands/demo.ts";
import { runProgram as runCommand } from "../../src/commands/program.ts";
import { recordedOutput } from "../unit/commands/recorded-output.ts";
import { soldFor } from "./ledger.ts";
import { killProgram, runProgram, startProgram } from "./program.ts";
import { booksAt } from "./sandbox.ts";

/** The port that a demo's sandbox has where it is free. */
const SANDBOX_PORT = 7718;

async function listening(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, "127.0.0.1");
  return Promise.race([
    once(server, "listening").then(() => server),
    once(server, "error").then(() => undefined),
  ]).catch(() => undefined);
}

/** The whole command in this process: another process would show no more. */
async function runHere(...argv: readonly string[]) {
  const output = recordedOutput();
  const line = { name: "posbridge", description: "", commands: [() => demoCommand(output)] };
  return {
    code: await runCommand(line, ["demo", "--once", ...argv], output, false),
    out: output.stdout,
    err: output.stderr,
  };
}

describe("demo --once", () => {
  it("makes one approved sale with PIN, prints the customer's receipt and ends with 0, twice at the same time because it takes whatever ports are free", async () => {
    const [other, { code, out, err }] = await Promise.all([runProgram("demo", "--once"), runProgram("demo", "--once")]);
    expect(other.code).toBe(0);
    expect({ code, err }).toEqual({ code: 0, err: [] });
    const receipt = out.join("\n");
    const fields = [
      /Corner Shop/,
      /CUSTOMER COPY/,
      /TEST/,
      /^Date +\d{4}-\d\d-\d\d$/m,
      /^Time +\d\d:\d\d:\d\d$/m,
      /^Reference +demo-\d+$/m,
      /^Terminal +12345678$/m,
      /^Merchant +\S+$/m,
      /^Card +VISA$/m,
      /^Number +\*{12}0050$/m,
      /^Entry +ICC$/m,
      /^Verification +PIN verified/m,
      /^Application +VISA CREDIT$/m,
      /^AID +A0000000031010$/m,
      /^TVR +[0-9A-F]{10}$/m,
      /^TSI +[0-9A-F]{4}$/m,
      /^TC +[0-9A-F]{16}$/m,
      /^ARC +00$/m,
      /^Approval code +\d{6}$/m,
      /^Amount +12\.34 EUR$/m,
      /^ +APPROVED$/m,
    ];
    expect(fields.filter((field) => !field.test(receipt))).toEqual([]);
    expect(receipt).not.toContain("4761340000000050");
  });

  it.concurrent.each(simulators.map(({ id }) => id))("sells with %s", async (model) => {
    const { code, out, err } = await runHere("--model", model);
    const receipt = out.join("\n").trimEnd().split("\n");
    expect({ code, err, last: receipt.at(-1)?.trim() }).toEqual({ code: 0, err: [], last: "APPROVED" });
  });
});

describe("demo", () => {
  it("says in one line which port is taken, and ends with 2", async () => {
    const taken = await listening(0);
    onTestFinished(() => void taken?.close());
    const address = taken?.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const { code, out, err } = await runHere("--port", String(port));
    expect({ code, out }).toEqual({ code: 2, out: [] });
    expect(err).toEqual([expect.stringContaining(`port ${port} on 127.0.0.1 is taken`)]);
  });

  it.concurrent.each(["x", "65536"])("refuses the port %j in one line with 2", async (port) => {
    const { code, err } = await runHere(`--port=${port}`);
    expect(code).toBe(2);
    expect(err).toEqual([expect.stringContaining("--port")]);
  });

  it("stays up without --once, also where the sandbox's port is taken, and tells how to connect: a register can sell; SIGTERM ends it with 0", async () => {
    // Whoever else has it: then it is taken all the more.
    const taken = await listening(SANDBOX_PORT);
    onTestFinished(() => void taken?.close());
    const demo = startProgram(
      "demo",
      "--port",
      "0",
      "--origin",
      "http://127.0.0.1:8080",
      "--origin",
      "http://localhost:5173",
    );
    onTestFinished(() => killProgram(demo));
    await demo.line(/payment\.start/);
    const printed = demo.out.join("\n");
    const found = (pattern: RegExp): string => pattern.exec(printed)?.[1] ?? "";
    expect(found(/sandbox +(http\S+)/)).not.toContain(`:${SANDBOX_PORT}/`);
    const client = await connectRegister({
      url: found(/register API +(\S+)/),
      token: found(/register token +(\S+)/),
      after: undefined,
    });
    while ((await client.terminals())[0]?.state !== "ready") await new Promise((later) => setTimeout(later, 50));
    await client.startPayment({
      reference: "from outside",
      type: "SALE",
      terminal: "till-1",
      currency: "EUR",
      amount: "7.00",
    });
    expect(await client.waitPayment({ reference: "from outside" })).toMatchObject({ outcome: "APPROVED" });
    while ((await client.get({ reference: "from outside" })).capture === "pending")
      await new Promise((later) => setTimeout(later, 50));
    expect(await booksAt(found(/sandbox +(http\S+)/))).toEqual(soldFor("7.00"));
    client.close();
    const asked = (origin: string) => fetch(`http${found(/register API +ws(\S+)v1/)}healthz`, { headers: { origin } });
    const answers = await Promise.all(
      ["http://127.0.0.1:8080", "http://localhost:5173", "http://127.0.0.1:8081"].map(asked),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 403]);
    demo.signal("SIGTERM");
    expect(await demo.ended).toEqual({ code: 0, signal: null });
  });
});
