import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { miuraM020 } from "../../../drivers/miura-m020/driver.ts";
import { verifoneP400 } from "../../../drivers/verifone-p400/driver.ts";
import { knownModels } from "../../../src/agent/models.ts";
import { checkConfigCommand } from "../../../src/commands/check-config.ts";
import { runProgram } from "../../../src/commands/program.ts";
import loopbackTls from "../../vectors/loopback-tls.json" with { type: "json" };
import { SMALLEST } from "../config/surroundings.ts";
import { recordedOutput } from "./recorded-output.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "posbridge-check-"));
  writeFileSync(join(folder, "gateway-token"), "sandbox-token", { mode: 0o600 });
});
afterEach(() => rmSync(folder, { recursive: true }));

async function check(text: string, ...options: readonly string[]) {
  const file = join(folder, "posbridge.yaml");
  writeFileSync(file, text);
  const output = recordedOutput();
  const line = {
    name: "posbridge",
    description: "",
    commands: [() => checkConfigCommand(output, knownModels([miuraM020, verifoneP400]))],
  };
  const code = await runProgram(line, ["check-config", file, ...options], output, false);
  return { code, file, ...output };
}

it("says ok and ends with 0", async () => {
  expect(await check(SMALLEST)).toMatchObject({ code: 0, stdout: ["ok"], stderr: [] });
});

it("prints every problem with file, line and path, and ends with 2", async () => {
  const { code, file, stdout, stderr } = await check(
    SMALLEST.replace("country: DE", "country: de").replace("environment: test", "environment: prod"),
  );
  expect({ code, stdout }).toEqual({ code: 2, stdout: [] });
  expect(stderr).toEqual([
    `${file}:1: environment: must be test or live; change it`,
    `${file}:4: merchant.country: must be two capital letters (ISO 3166), for example DE; change it`,
    `posbridge: ${file} has 2 problems; mend them, then try: posbridge check-config ${file}`,
  ]);
});

it("refuses a configuration that others may change, with the fix", async () => {
  const { file } = await check(SMALLEST);
  chmodSync(file, 0o666);
  expect(await check(SMALLEST)).toMatchObject({
    code: 2,
    stdout: [],
    stderr: [
      `${file}: may be changed by others (mode 0666); run: chmod go-w ${file}`,
      `posbridge: ${file} has a problem; mend it, then try: posbridge check-config ${file}`,
    ],
  });
});

it("prints the same as JSON", async () => {
  const { code, file, stdout } = await check(SMALLEST.replace("country: DE", "country: de"), "--json");
  expect(code).toBe(2);
  expect(JSON.parse(stdout.join("\n"))).toEqual({
    ok: false,
    problems: [
      {
        file,
        line: 4,
        path: "merchant.country",
        message: "must be two capital letters (ISO 3166), for example DE; change it",
      },
    ],
  });
  const good = await check(SMALLEST, "--json");
  expect({ code: good.code, printed: JSON.parse(good.stdout.join("\n")) }).toEqual({
    code: 0,
    printed: { ok: true, problems: [] },
  });
});

describe("a port that other machines reach", () => {
  const open = (names: string): string => {
    writeFileSync(join(folder, "cert.pem"), loopbackTls.certificate);
    writeFileSync(join(folder, "key.pem"), loopbackTls.key, { mode: 0o600 });
    return `${SMALLEST}listen: { host: 0.0.0.0, ${names}tls: { cert: cert.pem, key: key.pem } }\n`;
  };

  it("is told with the names by which registers may ask for it, and which of them the certificate does not have", async () => {
    expect(await check(open("names: [Bridge.shop.example, 192.168.1.5], "))).toMatchObject({
      code: 0,
      stdout: [
        "ok",
        "registers may ask for 127.0.0.1, localhost, [::1], bridge.shop.example, 192.168.1.5",
        "the certificate of listen.tls does not name bridge.shop.example, 192.168.1.5: who asks for these will refuse it",
      ],
    });
    const { stdout } = await check(open("names: [bridge.shop.example], "), "--json");
    expect(JSON.parse(stdout.join("\n"))).toEqual({
      ok: true,
      problems: [],
      names: ["127.0.0.1", "localhost", "[::1]", "bridge.shop.example"],
      uncertified: ["bridge.shop.example"],
    });
  });

  it("has this machine's own name where none is configured", async () => {
    const { stdout } = await check(open(""));
    expect(stdout[1]).toContain(hostname().toLowerCase());
  });
});

it("says behind ok what the shop has to ask its acquirer about a terminal, and in which form its card data goes out", async () => {
  const verifone = SMALLEST.replace("miura-m020", "verifone-p400");
  const usual = await check(verifone);
  expect(usual).toMatchObject({
    code: 0,
    stdout: ["ok", expect.stringMatching(/^till-1: ask the acquirer whether it decrypts .* whole FF7F block/)],
  });
  const chosen = await check(`${verifone}    options: { sred: vector-and-data }\n`, "--json");
  expect(JSON.parse(chosen.stdout.join("\n"))).toEqual({
    ok: true,
    problems: [],
    acquirerQuestions: [{ terminal: "till-1", question: expect.stringMatching(/eight bytes of the vector/) }],
  });
  const unknown = await check(`${verifone}    options: { sred: iv }\n`);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr[0]).toMatch(/options: verifone-p400 does not take "iv" as option sred .*vector-and-data/);
});

it("the smallest configuration that its help shows passes", async () => {
  const { stdout } = await check("", "--help");
  const example = stdout.join("\n").split("The smallest configuration:\n")[1] ?? "";
  expect(await check(example)).toMatchObject({ code: 0, stdout: ["ok"] });
});
