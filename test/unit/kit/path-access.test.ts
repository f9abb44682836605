import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type AccessChain, type PathAccess, privacyProblem, tamperProblem } from "../../../src/kit/path-access.ts";
import { systemAccess } from "../../../src/kit/system-path-access.ts";

const USER = 999;
const at = (place: string, mode: number, uid = 0): PathAccess => ({ path: place, uid, mode });
const above = [at("/etc/posbridge", 0o755), at("/etc", 0o755), at("/", 0o755)];
const tmp = (mode: number, uid = 0) => [at("/tmp/shop", 0o700, USER), at("/tmp", mode, uid), at("/", 0o755)];

describe("a file that only its user and root can change", () => {
  it.each([
    ["root's", [at("/etc/posbridge/file", 0o644), ...above]],
    ["the user's", [at("/etc/posbridge/file", 0o600, USER), ...above]],
    [
      "in a folder of the user's",
      [at("/home/shop/file", 0o644, USER), at("/home/shop", 0o700, USER), at("/home", 0o755), at("/", 0o755)],
    ],
    [
      "below a sticky folder, where nobody can move what is somebody else's",
      [at("/tmp/shop/file", 0o644, USER), ...tmp(0o1777)],
    ],
    ["on a system without modes", []],
  ])("is no problem: %s", (_what, chain) => {
    expect(tamperProblem(chain, USER)).toBeUndefined();
  });
});

describe("a file that others can change", () => {
  it.each([
    [
      "the group may write in it",
      [at("/f", 0o664), ...above],
      "may be changed by others (mode 0664); run: chmod go-w /f",
    ],
    [
      "everybody may write in it",
      [at("/f", 0o602, USER), ...above],
      "may be changed by others (mode 0602); run: chmod go-w /f",
    ],
    [
      "it is another user's",
      [at("/f", 0o600, 1001), ...above],
      "belongs to user 1001 and this is user 999; run as its owner (sudo -u '#1001' posbridge ...), or give it to the service: sudo chown 999 /f",
    ],
    [
      "its folder is the group's too",
      [at("/f", 0o600), at("/d", 0o775), at("/", 0o755)],
      "lies below /d, where others may replace it; run: chmod go-w /d",
    ],
    [
      "two folders above it are",
      [at("/a/b/f", 0o600), at("/a/b", 0o777), at("/a", 0o775), at("/", 0o755)],
      "lies below /a/b and /a, where others may replace it; run: chmod go-w /a/b /a",
    ],
    [
      "a folder above it is another user's",
      [at("/home/eve/d/f", 0o600, USER), at("/home/eve/d", 0o700, USER), at("/home/eve", 0o755, 1001), at("/", 0o755)],
      "lies below /home/eve, which belongs to user 1001 and this is user 999; move it to a folder of root's, or run as that user (sudo -u '#1001' posbridge ...)",
    ],
    [
      "the folder for temporary files is not sticky",
      [at("/tmp/shop/f", 0o600, USER), ...tmp(0o777)],
      "lies below /tmp, where others may replace it; run: chmod go-w /tmp",
    ],
    [
      "the sticky folder is another user's",
      [at("/tmp/shop/f", 0o600, USER), ...tmp(0o1777, 1001)],
      "lies below /tmp, which belongs to user 1001 and this is user 999; move it to a folder of root's, or run as that user (sudo -u '#1001' posbridge ...)",
    ],
  ])("is told with the fix: %s", (_what, chain, problem) => {
    expect(tamperProblem(chain, USER)).toBe(problem);
  });
});

describe("a file of somebody else's", () => {
  const eve = (place: string): PathAccess => ({ ...at(place, 0o755, 1001), name: "eve" });
  it.each([
    [
      "root is sent to its owner",
      [eve("/f"), ...above],
      0,
      "belongs to eve, and this is root; run the command as that user, for example: sudo -u eve posbridge ...",
    ],
    [
      "a person too",
      [eve("/f"), ...above],
      1002,
      "belongs to eve and this is user 1002; run as its owner (sudo -u eve posbridge ...)",
    ],
    [
      "a folder above it stays whose it is",
      [at("/d/f", 0o600), eve("/d"), at("/", 0o755)],
      0,
      "lies below /d, which belongs to eve, and this is root; move it to a folder of root's, or run as that user (sudo -u eve posbridge ...)",
    ],
  ])("is never given to root or to a person: %s", (_what, chain, user, problem) => {
    expect(tamperProblem(chain, user)).toBe(problem);
  });

  it("may become root's where it is the program of a service", () => {
    expect(tamperProblem([eve("/f"), ...above], 0, "install")).toBe(
      "belongs to eve, and the program of a service has to be root's; run: chown root /f",
    );
  });
});

it.each([
  [0o600, false],
  [0o400, false],
  [0o640, true],
  [0o604, true],
  [0o601, true],
])("a file of mode %o is open to others: %s", (mode, isOpen) => {
  expect(privacyProblem([at("/f", mode), ...above], "/f")).toBe(
    isOpen ? "is open to others; run: chmod 600 /f" : undefined,
  );
});

describe("the access to a path of this system", () => {
  const modes = (chain: AccessChain): readonly PathAccess[] => ("own" in chain ? [] : chain);

  const folder = (): string => {
    const made = fs.mkdtempSync(path.join(fs.realpathSync(tmpdir()), "posbridge-access-"));
    onTestFinished(() => fs.rmSync(made, { recursive: true }));
    return made;
  };

  it("is the file's own, then that of every folder up to the root", () => {
    const made = folder();
    fs.writeFileSync(path.join(made, "file"), "");
    fs.chmodSync(path.join(made, "file"), 0o640);
    const [file, parent, ...rest] = modes(systemAccess(path.join(made, "file")));
    expect(file).toEqual({
      path: path.join(made, "file"),
      uid: process.geteuid?.(),
      gid: process.getegid?.(),
      mode: 0o640,
    });
    expect(parent).toEqual({ path: made, uid: process.geteuid?.(), gid: process.getegid?.(), mode: 0o700 });
    expect(rest.at(-1)?.path).toBe("/");
  });

  it("follows links, and names the folders on both sides: who may exchange a link may exchange the file", () => {
    const made = folder();
    for (const name of ["here", "there"]) fs.mkdirSync(path.join(made, name));
    fs.chmodSync(path.join(made, "here"), 0o777);
    fs.writeFileSync(path.join(made, "there", "file"), "");
    fs.symlinkSync("../there/file", path.join(made, "here", "link"));
    const chain = systemAccess(path.join(made, "here", "link"));
    expect(modes(chain)[0]?.path).toBe(path.join(made, "there", "file"));
    expect(tamperProblem(chain, process.geteuid?.() ?? 0)).toBe(
      `lies below ${made}/here, where others may replace it; run: chmod go-w ${made}/here`,
    );
  });
});
