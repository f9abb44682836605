import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { configurationJsonSchema } from "../../../src/config/json-schema.ts";
import { loadConfiguration } from "../../../src/config/load.ts";
import { LIVE, SMALLEST } from "./surroundings.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "posbridge-config-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(text: string, tokenMode = 0o600): string {
  const file = join(folder, "posbridge.yaml");
  writeFileSync(file, text);
  writeFileSync(join(folder, "gateway-token"), "sandbox-token\n");
  chmodSync(join(folder, "gateway-token"), tokenMode);
  return file;
}

const load = (file: string) =>
  loadConfiguration(
    file,
    [{ id: "miura-m020", lines: [{ kind: "serial" }, { kind: "tcp" }], optionsProblem: () => undefined }],
    {},
  );
const messages = (file: string): readonly string[] => {
  const reading = load(file);
  return reading.ok ? [] : reading.problems.map(({ message }) => message);
};

it("a configuration file is read with its token, paths relative to it", () => {
  const reading = load(write(SMALLEST));
  expect(reading.ok && reading.configuration.gateway.accessToken.reveal()).toBe("sandbox-token");
  expect(reading.ok && reading.configuration.dataDir).toBe(join(folder, "data"));
});

it.each([0o640, 0o604, 0o660, 0o644])("a token file of mode %o is refused", (mode) => {
  expect(messages(write(SMALLEST, mode))).toEqual([
    `names ${join(folder, "gateway-token")}, which is open to others; run: chmod 600 ${join(folder, "gateway-token")}`,
  ]);
});

it.each([0o664, 0o602])("a configuration of mode %o is refused before anything in it is looked at", (mode) => {
  const file = write("environment: {");
  chmodSync(file, mode);
  expect(messages(file)).toEqual([`may be changed by others (mode 0${mode.toString(8)}); run: chmod go-w ${file}`]);
});

it("a configuration and its token are refused in a folder where others may replace them", () => {
  const file = write(SMALLEST);
  chmodSync(folder, 0o770);
  expect(messages(file)).toEqual([`lies below ${folder}, where others may replace it; run: chmod go-w ${folder}`]);
  mkdirSync(join(folder, "own"), { mode: 0o700 });
  symlinkSync(file, join(folder, "own", "link.yaml"));
  expect(messages(join(folder, "own", "link.yaml"))).toEqual([
    expect.stringMatching(/^lies below .*, where others may replace it; run: chmod go-w /),
  ]);
});

it("a token that is another user's is refused", () => {
  const file = write(SMALLEST);
  chownSync(join(folder, "gateway-token"), 12_345, 12_345);
  expect(messages(file)).toEqual([
    `names ${join(folder, "gateway-token")}, which belongs to user 12345, and this is root; run the command as that user, for example: sudo -u '#12345' posbridge ...`,
  ]);
});

it("a link to a pseudo-terminal is one", () => {
  symlinkSync("/dev/pts/0", join(folder, "line"));
  symlinkSync("/dev/pts", join(folder, "pts"));
  mkdirSync(join(folder, "real"));
  expect(messages(write(LIVE.replace("/dev/ttyACM0", "pts/ptmx")))).toEqual([
    "is a pseudo-terminal, which environment: live refuses; name the real device",
  ]);
  expect(messages(write(LIVE.replace("/dev/ttyACM0", "real")))).toEqual([]);
});

it("a file that is not there, a folder and a file that is too large are told", () => {
  expect(messages(join(folder, "missing.yaml"))).toEqual([
    "does not exist; check the path, or write one: posbridge setup",
  ]);
  expect(messages(folder)).toEqual(["cannot be read (not a regular file); change its owner or mode"]);
  expect(messages(write(`${SMALLEST}#${"x".repeat(262_144)}`))).toEqual([
    "cannot be read (larger than 262144 bytes); change its owner or mode",
  ]);
});

it("the example passes", () => {
  expect(messages(write(readFileSync("config/posbridge.example.yaml", "utf8")))).toEqual([]);
});

it("the schema for editors is current; renew it by `npm run config-schema`", () => {
  expect(readFileSync("config/posbridge.schema.json", "utf8")).toBe(configurationJsonSchema());
});

/** As an editor or a shell of Windows writes a text. */
const WRITTEN_ON_WINDOWS: readonly (readonly [how: string, write: (text: string) => Uint8Array])[] = [
  ["with CRLF", (text) => Buffer.from(text.replaceAll("\n", "\r\n"))],
  ["with CRLF and a mark before it", (text) => Buffer.from(`\uFEFF${text.replaceAll("\n", "\r\n")}`)],
  [
    "in UTF-16, as Windows PowerShell 5 redirects it",
    (text) => Buffer.from(`\uFEFF${text.replaceAll("\n", "\r\n")}`, "utf16le"),
  ],
];

it.each(WRITTEN_ON_WINDOWS)("configuration and token are read where Windows wrote them %s", (_, bytesOf) => {
  const file = write(SMALLEST);
  writeFileSync(file, bytesOf(SMALLEST));
  writeFileSync(join(folder, "gateway-token"), bytesOf("sandbox-token\n"));
  const reading = load(file);
  expect(reading.ok ? [] : reading.problems).toEqual([]);
  expect(reading.ok && reading.configuration.gateway.accessToken.reveal()).toBe("sandbox-token");
});
