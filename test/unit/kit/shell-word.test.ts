import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tamperProblem } from "../../../src/kit/path-access.ts";
import { commandWord, shellWord } from "../../../src/kit/shell-word.ts";

/** No path holds a NUL, and no command line takes one. Each line of the answer is one word, in hexadecimal. */
const text = fc.string({ unit: fc.constantFrom(..."ab/. '\"$`\\!*?[]{}()<>|&;#~=%-\n\t\u00e4\u20ac"), maxLength: 30 });

describe("a word of a shell's command", () => {
  it("is read back by the shell as the text that it stands for, whatever it holds", () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 20, maxLength: 40 }), (texts) => {
        const printed = execFileSync("sh", ["-c", `printf '%s\\0' ${texts.map(shellWord).join(" ")}`], {
          encoding: "utf8",
        });
        expect(printed.split("\0").slice(0, -1)).toEqual(texts);
      }),
      { numRuns: 25 },
    );
  });

  it.each([
    ["/var/lib/posbridge", "/var/lib/posbridge"],
    ["/home/till 1/data", "'/home/till 1/data'"],
    ["/home/o'brien", "'/home/o'\\''brien'"],
    ["~/data", "'~/data'"],
    ["", "''"],
  ])("is plain where the shell reads nothing into it: %s", (path, word) => {
    expect(shellWord(path)).toBe(word);
  });
});

describe("a word of a command on Windows", () => {
  it.each([
    ["C:\\ProgramData\\posbridge", "C:\\ProgramData\\posbridge"],
    ["C:\\Program Files\\posbridge", '"C:\\Program Files\\posbridge"'],
    ["C:\\my data\\", '"C:\\my data\\\\"'],
    ["C:\\R&D (1)", '"C:\\R&D (1)"'],
    ["C:\\o'brien", '"C:\\o\'brien"'],
    ["C:\\Kasse-ü", '"C:\\Kasse-ü"'],
    ["USB\\VID_2DDA&PID_0515\\1", '"USB\\VID_2DDA&PID_0515\\1"'],
    ["50% off", "'50% off'"],
    ["it's $5", "'it''s $5'"],
    ["-x", '"-x"'],
    ["", '""'],
  ])("%s is %s", (text, word) => {
    expect(commandWord(text, "windows")).toBe(word);
  });

  it("is read back as its text by the rules of a program's arguments on Windows, where nothing but double quotes is needed", () => {
    const plain = fc.string({ unit: fc.constantFrom(..."ab1/\\:. '&()^,;=-\u00e4"), maxLength: 30 });
    fc.assert(
      fc.property(plain, (text) => {
        expect(argumentOf(commandWord(text, "windows"))).toBe(text);
      }),
    );
  });

  it("elsewhere is one of the shell", () => {
    expect(commandWord("/my data", "linux")).toBe("'/my data'");
  });
});

/** One argument, as CommandLineToArgvW reads it: before a quote, backslashes count half. */
function argumentOf(word: string): string {
  const inner = /^"(.*)"$/s.exec(word)?.[1];
  return inner === undefined ? word : inner.replace(/(\\+)$/, (end) => end.slice(end.length / 2));
}

describe("a printed mend", () => {
  const at = (path: string, mode: number, uid = 0) => ({ path, mode, uid });
  it.each([
    [[at("/my shop/f", 0o664)], "chmod go-w '/my shop/f'"],
    [[at("/my shop/f", 0o600, 7)], "sudo chown 999 '/my shop/f'"],
    [[at("/a b/f", 0o600), at("/a b", 0o777), at("/c's", 0o777)], "chmod go-w '/a b' '/c'\\''s'"],
  ])("names its folders so that a shell takes each for one", (chain, mend) => {
    expect(tamperProblem(chain, 999)?.endsWith(`: ${mend}`)).toBe(true);
  });
});
