import { X509Certificate } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { miuraM020 } from "../../../drivers/miura-m020/driver.ts";
import { certificatesIn } from "../../../src/agent/certificate-store.ts";
import { knownModels } from "../../../src/agent/models.ts";
import { backupCommand } from "../../../src/commands/backup.ts";
import { certificatesCommand } from "../../../src/commands/certificates.ts";
import { checkConfigCommand } from "../../../src/commands/check-config.ts";
import { doctorCommand } from "../../../src/commands/doctor.ts";
import { runProgram } from "../../../src/commands/program.ts";
import { supportBundleCommand } from "../../../src/commands/support-bundle.ts";
import { certificateHandlers } from "../../../src/control/certificates.ts";
import { serveControl } from "../../../src/control/server.ts";
import { openJournal } from "../../../src/journal/sqlite-journal.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { refusingHandlers } from "../../support/refusing-handlers.ts";
import { SMALLEST } from "../config/surroundings.ts";
import { freshFolder } from "../journal/folder.ts";
import { recordedOutput } from "./recorded-output.ts";

/** Nothing listens at port 1. */
const QUIET = SMALLEST.replace("http://127.0.0.1:7718/", "http://127.0.0.1:1/").replace(
  "{ serial: /dev/ttyACM0 }",
  "{ tcp: 127.0.0.1:1 }",
);

function shop(more = "") {
  const folder = freshFolder();
  const file = path.join(folder, "posbridge.yaml");
  const configure = (text: string): void => fs.writeFileSync(file, `${QUIET}${text}`, { mode: 0o600 });
  configure(more);
  fs.writeFileSync(path.join(folder, "gateway-token"), "sandbox-token", { mode: 0o600 });
  const dataDir = path.join(folder, "data");
  const inFolder = (name: string): string => path.join(dataDir, "certificates", name);
  return { ...{ folder, file, dataDir, inFolder, configure } };
}

/** The lines of a command, as a technician types it. */
async function posbridge(...argv: readonly string[]) {
  const output = recordedOutput();
  const commands = [
    () => certificatesCommand(output),
    () => checkConfigCommand(output, knownModels([miuraM020])),
    () => doctorCommand(output, [miuraM020], { places: [], env: {} }),
    () => backupCommand(output),
    () => supportBundleCommand(output, [miuraM020]),
  ];
  const code = await runProgram({ name: "posbridge", description: "", commands }, argv, output, false);
  return { code, stdout: output.stdout, stderr: output.stderr };
}

const modeOf = (file: string): number => fs.statSync(file).mode & 0o777;

describe("posbridge certificates", () => {
  it("makes the authority and the bridge's certificate, and says what to do on the other tills", async () => {
    const { file, inFolder } = shop();
    const { code, stdout, stderr } = await posbridge(
      ...["certificates", "create", "--name", "bridge.shop.example", "192.168.1.20", "--config", file],
    );
    expect([code, stderr]).toEqual([0, []]);
    const { fingerprint256, fingerprint } = new X509Certificate(fs.readFileSync(inFolder("authority.crt")));
    const said = stdout.join("\n");
    for (const part of [
      `certificate  ${inFolder("authority.crt")}`,
      `SHA-256      ${fingerprint256}`,
      `thumbprint   ${fingerprint} (SHA-1, as Windows shows it)`,
      "certifies    bridge.shop.example, localhost, 192.168.1.20/32, 127.0.0.1/32, ::1/128; nothing else",
      "names: [bridge.shop.example, 192.168.1.20]",
      `cert: "${inFolder("bridge.crt")}"`,
      `key: "${inFolder("bridge.key")}"`,
      "certutil -addstore -f Root posbridge-authority.crt",
      "sudo update-ca-certificates",
      "certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n posbridge -i posbridge-authority.crt",
      '{"policies":{"Certificates":{"Install":["/etc/firefox/posbridge-authority.crt"]}}}',
    ])
      expect(said).toContain(part);
    expect(["authority.pem", "bridge.key"].map((name) => modeOf(inFolder(name)))).toEqual([0o600, 0o600]);
  });

  it("prints lines with which check-config finds nothing wrong", async () => {
    const { file, configure } = shop("listen: { names: [bridge.shop.example] }\n");
    const { stdout } = await posbridge("certificates", "create", "--config", file);
    const at = stdout.indexOf("  listen:");
    const lines = stdout.slice(at, at + 6).map((line) => line.slice(2));
    configure(`${lines.join("\n")}\n`);
    expect(await posbridge("check-config", file)).toMatchObject({ code: 0 });
    const again = await posbridge("certificates", "create", "--config", file);
    expect(again.stdout).toContain(
      "The configuration names it: start the bridge, or let it reload (posbridge reload).",
    );
    expect(again.stdout).toContain("The other tills trust this authority already.");
  });

  it("lists both, and prints the authority's certificate alone", async () => {
    const { file, inFolder } = shop();
    await posbridge(
      "certificates",
      "create",
      "--name",
      "192.168.1.20",
      "--network",
      "192.168.1.0/24",
      "--config",
      file,
    );
    const { stdout } = await posbridge("certificates", "list", "--config", file);
    expect(stdout.map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
      ["CERTIFICATE", "NAMES"],
      ["authority", "localhost 192.168.1.20/32 127.0.0.1/32 ::1/128 192.168.1.0/24"],
      ["bridge", "192.168.1.20"],
    ]);
    const { stdout: printed } = await posbridge("certificates", "print", "--config", file);
    expect(`${printed.join("\n")}\n`).toBe(fs.readFileSync(inFolder("authority.crt"), "utf8"));
    const { stdout: json } = await posbridge("certificates", "list", "--json", "--config", file);
    expect(json.join("\n")).not.toContain("PRIVATE KEY");
  });

  it.each([
    [["--name", "*.shop.example"], 2, '"*.shop.example" is not a host name or an address'],
    [["--name", "till", "--network", "8.0.0.0/8"], 2, '"8.0.0.0/8" is no private network'],
    [["--name", "other.example"], 1, "the authority of this machine may not certify other.example"],
  ])("refuses %j", async (options, code, message) => {
    const { file } = shop();
    await posbridge("certificates", "create", "--name", "bridge.shop.example", "--config", file);
    const refused = await posbridge("certificates", "create", ...options, "--config", file);
    expect(refused).toMatchObject({ code, stdout: [] });
    expect(refused.stderr[0]).toContain(`posbridge: ${message}`);
  });

  it("uses no key that others may read, and says how to close it", async () => {
    const { file, inFolder } = shop();
    await posbridge("certificates", "create", "--name", "bridge.shop.example", "--config", file);
    const key = inFolder("authority.pem");
    fs.chmodSync(key, 0o640);
    const refused = `${key} is open to others; run: chmod 600 ${key}`;
    for (const call of [["create", "--name", "bridge.shop.example"], ["list"], ["print"]])
      expect(await posbridge("certificates", ...call, "--config", file)).toMatchObject({
        code: 1,
        stderr: [`posbridge: ${refused}`],
      });
    const { stdout } = await posbridge("doctor", "--config", file);
    expect(stdout.join("\n")).toContain(`The certificate authority of this machine cannot be used: ${refused}.`);
  });

  it("goes through the daemon where one runs, which serves the new certificate at once", async () => {
    const { file, dataDir, inFolder } = shop();
    await posbridge("certificates", "create", "--name", "bridge.shop.example", "--config", file);
    const before = fs.readFileSync(inFolder("bridge.crt"), "utf8");
    const journal = await openJournal({ dataDir, environment: "test", clock: systemClock, random: systemRandom });
    const by: string[] = [];
    const handlers = {
      ...refusingHandlers,
      ...certificateHandlers(certificatesIn(dataDir).book, async (user) => by.push(user) > 0),
    };
    const problem = (error: unknown): void => expect(error).toBeUndefined();
    const server = await serveControl({ dataDir, clock: systemClock, handlers, problem });
    onTestFinished(async () => {
      await server.close();
      await journal.close();
    });
    const { code, stdout } = await posbridge("certificates", "create", "--config", file);
    expect([code, by.length]).toEqual([0, 1]);
    expect(stdout).toContain("The running bridge serves it already.");
    expect(stdout).toContain("  names        bridge.shop.example");
    expect(fs.readFileSync(inFolder("bridge.crt"), "utf8")).not.toBe(before);
  });
});

describe("the authority's key", () => {
  it("is in no backup and in no support bundle", async () => {
    const { folder, file, dataDir, inFolder } = shop();
    const journal = await openJournal({ dataDir, environment: "test", clock: systemClock, random: systemRandom });
    await journal.close();
    await posbridge("certificates", "create", "--name", "bridge.shop.example", "--config", file);
    const made = ["backup.tar.gz", "bundle.json"].map((name) => path.join(folder, name));
    const [backup = "", bundle = ""] = made;
    expect((await posbridge("backup", backup, "--config", file)).code).toBe(0);
    expect((await posbridge("support-bundle", bundle, "--config", file)).code).toBe(0);
    const texts = [gunzipSync(fs.readFileSync(backup)).toString("latin1"), fs.readFileSync(bundle, "utf8")];
    const [, key = ""] = fs.readFileSync(inFolder("authority.pem"), "utf8").split("\n");
    for (const text of texts)
      expect([text.includes(key), text.includes("PRIVATE KEY"), text.includes("authority.pem")]).toEqual([
        false,
        false,
        false,
      ]);
    expect(texts[0]).toContain("journal.db");
    expect(texts[1]).toContain("posbridge authority bridge.shop.example");
  });
});

describe("doctor", () => {
  it("says which names of the configuration the certificate does not have", async () => {
    const { file, inFolder, configure } = shop();
    await posbridge("certificates", "create", "--name", "bridge.shop.example", "--config", file);
    const tls = `tls: { cert: "${inFolder("bridge.crt")}", key: "${inFolder("bridge.key")}" }`;
    const listening = async (names: string): Promise<string> => {
      configure(`listen: { host: 127.0.0.1, port: 0, names: [${names}], ${tls} }\n`);
      return (await posbridge("doctor", "--config", file)).stdout.join("\n");
    };
    expect(await listening("bridge.shop.example")).toMatch(
      /ok +port .* with TLS; the certificate is valid for 1\d\d more days/,
    );
    expect(await listening("bridge.shop.example, 192.168.1.20")).toContain(
      "the certificate does not name 192.168.1.20: registers that ask for these refuse it.",
    );
  });
});
