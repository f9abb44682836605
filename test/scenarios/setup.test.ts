import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { spawn } from "@lydell/node-pty";
import { expect, it, onTestFinished } from "vitest";
import { spawnProgram } from "./program.ts";
import { startTerminal } from "./terminal.ts";

const TOKEN = "a-token-nobody-may-see";

function freshFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-setup-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}

/** A person at a terminal: waits for words on the screen, and types. */
function person(argv: readonly string[]) {
  const entry = process.env["POSBRIDGE_BUILT_PROGRAM"] ?? "src/main.demo.ts";
  const pty = spawn(process.execPath, [entry, ...argv], {
    cwd: process.cwd(),
    cols: 200,
    rows: 50,
    env: { PATH: process.env["PATH"], LANG: "C" },
  });
  onTestFinished(() => pty.kill("SIGKILL"));
  let screen = "";
  let read = 0;
  let look = (): void => undefined;
  pty.onData((text) => {
    screen += text;
    look();
  });
  const ended = new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
  /** What was shown since the last time until these words, and with them. */
  const sees = (words: string): Promise<string> =>
    new Promise((resolve, reject) => {
      void ended.then(() => reject(new Error(`it ended without "${words}": ${screen.slice(read)}`)));
      look = () => {
        const at = screen.indexOf(words, read);
        if (at === -1) return;
        const shown = screen.slice(read, at + words.length);
        read = at + words.length;
        look = () => undefined;
        resolve(shown);
      };
      look();
    });
  return {
    ended,
    sees,
    types: (text: string) => pty.write(`${text}\r`),
    presses: (key: string) => pty.write(key),
    screen: () => screen,
  };
}

it("asks a person at a terminal, takes nothing that is wrong, shows no token, and proves the terminal before it writes", async () => {
  const terminal = await startTerminal(freshFolder(), 1);
  onTestFinished(() => terminal.kill());
  const folder = freshFolder();
  const file = path.join(folder, "posbridge.yaml");
  const { ended, sees, types, screen } = person(["setup", "--config", file]);
  await sees("Test or live? [test]: ");
  types("prod");
  await sees("must be test or live; change it");
  await sees("Test or live? [test]: ");
  types("");
  await sees("Its address [http://127.0.0.1:7718/]: ");
  types("");
  await sees("Entity id, for example 8a8294174b7ecb28014b9699220015ca: ");
  types("8a82");
  await sees("must be 32 lower-case hexadecimal digits; copy it from the gateway's administration");
  await sees("Entity id");
  types("8a8294174b7ecb28014b9699220015ca");
  await sees("Access token: ");
  types(TOKEN);
  await sees("Name, for example Corner Shop: ");
  types("Käse & Söhne");
  await sees("Country, two letters, for example DE: ");
  types("de");
  await sees("or none for now [");
  types(terminal.path);
  await sees("Model (");
  types("miura-m020");
  await sees("Terminal id, from the acquirer, for example 12345678: ");
  expect(fs.readdirSync(folder)).toEqual([]);
  types("12345678");
  await sees("Device type, where the acquirer names one [MIURA_M020]: ");
  types("");
  await sees("The miura-m020 answered: serial number ");
  await sees(`posbridge doctor --config ${file}`);
  expect(await ended).toBe(0);
  expect(screen()).not.toContain(TOKEN);
  const modes = ["posbridge.yaml", "gateway-token", "data"].map((name) =>
    (fs.statSync(path.join(folder, name)).mode & 0o777).toString(8),
  );
  expect([fs.readdirSync(folder).sort(), modes]).toEqual([
    ["data", "gateway-token", "posbridge.yaml"],
    ["640", "600", "700"],
  ]);
  expect(fs.readFileSync(path.join(folder, "gateway-token"), "utf8")).toBe(`${TOKEN}\n`);
});

it("leaves nothing behind where Ctrl-C ends it, and ends with 1", async () => {
  const folder = freshFolder();
  const { ended, sees, types, presses } = person(["setup", "--config", path.join(folder, "posbridge.yaml")]);
  await sees("Test or live? [test]: ");
  types("");
  await sees("Its address");
  presses("\x03");
  await sees("posbridge: stopped; nothing was written");
  expect(await ended).toBe(1);
  expect(fs.readdirSync(folder)).toEqual([]);
});

it("reads the answers from a pipe, and writes nothing where they end too early", async () => {
  const folder = freshFolder();
  const file = path.join(folder, "posbridge.yaml");
  const piped = async (answers: readonly string[]) => {
    const child = spawnProgram(["setup", "--config", file, "--no-terminal"], ["pipe", "ignore", "pipe"]);
    let err = "";
    child.stderr?.on("data", (text: Buffer) => {
      err += String(text);
    });
    child.stdin?.end(answers.map((answer) => `${answer}\n`).join(""));
    return { code: await new Promise<number | null>((resolve) => child.once("close", resolve)), err };
  };
  const answers = ["test", "", "8a8294174b7ecb28014b9699220015ca", TOKEN, "Corner Shop", "DE"];
  expect(await piped(answers.slice(0, 3))).toEqual({
    code: 2,
    err: "posbridge: the answers ended before all was asked; nothing was written\n",
  });
  expect(fs.readdirSync(folder)).toEqual([]);
  expect(await piped(answers)).toEqual({ code: 0, err: "" });
  expect(fs.existsSync(file)).toBe(true);
});
