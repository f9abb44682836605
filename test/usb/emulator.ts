import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import type { Parts } from "./parts.ts";

/** Longest time for everything in the guest; on two idle cores it takes a quarter of it. */
const LIMIT_MS = 440_000;

export interface GuestRun {
  /** Everything that the guest's console said. */
  readonly lines: readonly string[];
  readonly end: "off" | "too-late";
}

/**
 * Boots the image and hears its console until the guest switches itself off, or is switched off because it takes too
 * long.
 */
export async function runGuest(parts: Parts, image: string, heard: (line: string) => void): Promise<GuestRun> {
  // Without hardware virtualisation: KVM is not there on most machines of a build farm. The guest's own mitigations
  // would only cost time.
  const machine = [
    "-accel",
    "tcg,thread=multi",
    "-smp",
    "2",
    "-m",
    "1024",
    "-cpu",
    "max",
    "-net",
    "none",
    "-nographic",
    "-no-reboot",
  ];
  const kernel = [
    "-kernel",
    parts.kernel,
    "-initrd",
    image,
    "-append",
    "console=ttyS0 quiet loglevel=3 panic=-1 mitigations=off",
  ];
  const qemu = spawn(parts.qemu, [...machine, ...kernel], { stdio: ["ignore", "pipe", "inherit"] });
  const onExit = (): void => void qemu.kill("SIGKILL");
  process.once("exit", onExit);
  const lines: string[] = [];
  createInterface({ input: qemu.stdout }).on("line", (text) => {
    // The firmware clears the screen, and a serial console ends its lines with a carriage return.
    const line = stripVTControlCharacters(text).trimEnd();
    lines.push(line);
    heard(line);
  });
  const run: { end: GuestRun["end"] } = { end: "off" };
  const limit = setTimeout(() => {
    run.end = "too-late";
    qemu.kill("SIGKILL");
  }, LIMIT_MS);
  await new Promise((resolve, reject) => {
    qemu.once("close", resolve);
    qemu.once("error", reject);
  });
  clearTimeout(limit);
  process.off("exit", onExit);
  return { lines, end: run.end };
}
