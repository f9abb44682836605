import { describe, expect, it } from "vitest";
import { cpioArchive, FILE, LINK } from "./cpio.ts";
import { judge } from "./verdict.ts";

const GOOD = ["SeaBIOS", "TEST-PLAN 2", "TEST-OK one (1 ms)", "TEST-OK two (2 ms)", "TEST-END 0"];
const changed = (from: string, ...to: readonly string[]): readonly string[] =>
  GOOD.flatMap((line) => (line === from ? to : [line]));

describe("what the guest said", () => {
  it("is good where all that was planned held and it ended by itself", () => {
    expect(judge(GOOD, "off")).toEqual({ passed: 2, failed: 0, problems: [] });
  });

  it.each<[string, readonly string[], RegExp]>([
    [
      "a check that did not hold",
      changed("TEST-OK two (2 ms)", "TEST-NOT-OK two (2 ms): why"),
      /^1 checks did not hold$/,
    ],
    ["a check that is missing", changed("TEST-OK two (2 ms)"), /^2 checks were planned, 1 were made$/],
    ["no plan", changed("TEST-PLAN 2"), /never began/],
    ["nothing planned", ["TEST-PLAN 0", "TEST-END 0"], /^no checks were planned$/],
    ["another exit code", changed("TEST-END 0", "TEST-END 1"), /did not end by themselves/],
    ["no end", changed("TEST-END 0"), /did not end by themselves/],
    [
      "a module that did not load",
      ["TEST-BROKEN insmod usbcore.ko", ...GOOD],
      /could not be set up: TEST-BROKEN insmod usbcore\.ko$/,
    ],
    ["trouble in the kernel", ["[   1.2] BUG: unable to handle page fault", ...GOOD], /kernel is in trouble/],
  ])("is bad with %s", (_, lines, problem) => {
    expect(judge(lines, "off").problems).toContainEqual(expect.stringMatching(problem));
  });

  it("is bad where it took too long", () => {
    expect(judge(GOOD, "too-late").problems).toEqual(["the guest was not done in time and was switched off"]);
  });
});

describe("the archive", () => {
  it("is what the kernel unpacks: headers of 110 characters, names and contents on borders of four, the folders first, a trailer last", () => {
    const archive = cpioArchive([
      { path: "bin/sh", mode: LINK, bytes: Buffer.from("busybox") },
      { path: "etc/a/b", mode: FILE, bytes: Buffer.from("12345") },
    ]).toString("latin1");
    const names: string[] = [];
    const contents: string[] = [];
    for (let at = 0; at < archive.length; ) {
      expect(archive.slice(at, at + 6)).toBe("070701");
      const field = (number: number): number =>
        Number.parseInt(archive.slice(at + 6 + number * 8, at + 14 + number * 8), 16);
      const [size, nameSize] = [field(6), field(11)];
      names.push(archive.slice(at + 110, at + 110 + nameSize - 1));
      const begin = Math.ceil((at + 110 + nameSize) / 4) * 4;
      contents.push(archive.slice(begin, begin + size));
      at = Math.ceil((begin + size) / 4) * 4;
    }
    expect(names).toEqual(["bin", "etc", "etc/a", "bin/sh", "etc/a/b", "TRAILER!!!"]);
    expect(contents).toEqual(["", "", "", "busybox", "12345", ""]);
  });
});
