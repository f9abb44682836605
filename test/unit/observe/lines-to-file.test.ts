import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { linesToFile } from "../../../src/observe/lines-to-file.ts";
import { MOST_WAITING_BYTES } from "../../../src/observe/log-lines.ts";

const { O_RDWR, O_WRONLY, O_NONBLOCK } = fs.constants;
const LINE = `${"x".repeat(16_383)}\n`;
const COUNT = 1_200;

/** A pipe, the end that nobody reads unless the test does, and one to write at. */
function openPipe(flags: number) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-pipe-"));
  const file = path.join(folder, "pipe");
  execFileSync("mkfifo", [file]);
  const reader = fs.openSync(file, O_RDWR | O_NONBLOCK);
  const writer = fs.openSync(file, flags);
  onTestFinished(() => {
    for (const end of [writer, reader]) fs.closeSync(end);
    fs.rmSync(folder, { recursive: true });
  });
  const read = (): string => {
    const chunk = Buffer.alloc(65_536);
    try {
      return chunk.toString("utf8", 0, fs.readSync(reader, chunk));
    } catch {
      return "";
    }
  };
  return { writer, read };
}

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

it.each([
  ["waits", O_WRONLY],
  ["does not wait", O_WRONLY | O_NONBLOCK],
])(
  "a pipe that nobody reads, and that %s for room, holds nobody up: what is past the limit is lost, what is before it comes later",
  async (_how, flags) => {
    const { writer, read } = openPipe(flags);
    const nowhere = fs.openSync("/dev/null", "w");
    onTestFinished(() => fs.closeSync(nowhere));
    const lines = linesToFile(writer, nowhere, systemClock);
    const said: number[] = [];
    lines.whenRegained(({ lost }) => said.push(lost));
    const started = performance.now();
    for (let at = 0; at < COUNT; at += 1) {
      lines.stream.write(LINE);
      if (at % 50 === 0) await later(1);
    }
    expect(performance.now() - started).toBeLessThan(60_000);
    const lost = lines.lost();
    expect(lost).toBeGreaterThan((COUNT * LINE.length - MOST_WAITING_BYTES) / LINE.length - 20);
    let text = "";
    const written = lines.written(10_000).then(() => true);
    const readAll = (): void => {
      for (let part = read(); part !== ""; part = read()) text += part;
    };
    while (!(await Promise.race([written, later(0).then(() => false)]))) readAll();
    readAll();
    expect(text === LINE.repeat(COUNT - lost)).toBe(true);
    expect(said).toEqual([lost]);
  },
);
