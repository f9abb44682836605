import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { addonLoader, usualFolders } from "../../../src/commands/packed-addons.ts";
import { PACKED_FOLDER } from "../../../src/commands/packed-folder.ts";

const PACKED = `${PACKED_FOLDER}some.node`;

function folder(mode = 0o700): string {
  const made = fs.mkdtempSync(path.join(tmpdir(), "posbridge-addons-"));
  fs.chmodSync(made, mode);
  onTestFinished(() => fs.rmSync(made, { recursive: true }));
  return made;
}

interface Seen {
  readonly file: string;
  readonly content: string;
  readonly modes: readonly number[];
}

/** A loader of packed files that all hold "code", and what the system was asked to load. */
function loading(folders: readonly string[], refuses: (file: string) => boolean = () => false) {
  const seen: Seen[] = [];
  const load = (_module: object, file: string): void => {
    if (refuses(file)) throw new Error("failed to map segment from shared object");
    if (!fs.existsSync(file)) return void seen.push({ file, content: "", modes: [] });
    const modes = [file, path.dirname(file)].map((each) => fs.statSync(each).mode & 0o777);
    seen.push({ file, content: fs.readFileSync(file, "utf8"), modes });
  };
  return { seen, run: addonLoader({ load, read: () => Buffer.from("code"), folders }) };
}

describe("native code of the packaged program", () => {
  it("is loaded from a fresh file that nobody else can reach, of which nothing stays", () => {
    const place = folder();
    const { seen, run } = loading([place]);
    run({}, PACKED);
    run({}, PACKED);
    expect(seen).toMatchObject([{ content: "code", modes: [0o600, 0o700] }, { content: "code" }]);
    expect(seen[0]?.file).toMatch(new RegExp(`^${place}/posbridge-[^/]+/some\\.node$`));
    expect(seen[0]?.file).not.toBe(seen[1]?.file);
    expect(fs.readdirSync(place)).toEqual([]);
  });

  it("is the true content whatever lies in the folder already", () => {
    const place = folder();
    fs.writeFileSync(path.join(place, "some.node"), "planted");
    const { seen, run } = loading([place]);
    run({}, PACKED);
    expect(seen.map(({ content }) => content)).toEqual(["code"]);
  });

  it("really loads: an addon works when its file is gone", () => {
    const addon = path.resolve(`node_modules/@lydell/node-pty-${process.platform}-${process.arch}/pty.node`);
    const place = folder();
    const load = process.dlopen.bind(process);
    const made: { exports: Record<string, unknown> } = { exports: {} };
    addonLoader({ load, read: () => fs.readFileSync(addon), folders: [place] })(made, PACKED);
    expect(made.exports).toMatchObject({ open: expect.any(Function) });
    expect(fs.readdirSync(place)).toEqual([]);
  });

  it.each([
    ["is a file", () => path.resolve("package.json")],
    ["may be written in by everybody", () => folder(0o777)],
    ["may be written in by its group", () => folder(0o770)],
  ])("passes over a folder that %s, and takes the next", (_what, bad) => {
    const good = folder();
    const { seen, run } = loading([bad(), good]);
    run({}, PACKED);
    expect(seen.map(({ file }) => path.dirname(path.dirname(file)))).toEqual([good]);
  });

  it("passes over a disk from which no code may run, and leaves nothing there", () => {
    const [noexec, good] = [folder(), folder()];
    const { seen, run } = loading([noexec, good], (file) => file.startsWith(noexec));
    run({}, PACKED);
    expect(seen.map(({ file }) => path.dirname(path.dirname(file)))).toEqual([good]);
    expect(fs.readdirSync(noexec)).toEqual([]);
  });

  it("may use a data folder that is not made yet, which is made private", () => {
    const place = path.join(folder(), "shop", "data");
    const { seen, run } = loading([place]);
    run({}, PACKED);
    expect(seen).toHaveLength(1);
    expect(fs.statSync(place).mode & 0o777).toBe(0o700);
  });

  it("that can be loaded nowhere is told in one line with every folder, why, and what to set", () => {
    const open = folder(0o777);
    const noexec = folder();
    const { run } = loading([open, noexec], () => true);
    expect(() => run({}, PACKED)).toThrow(
      `native code (some.node) can be loaded by way of no folder (${open}: lies below ${open}, where others may replace it; run: chmod go-w ${open}; ` +
        `${noexec}: failed to map segment from shared object); set TMPDIR to a folder that this user may write in, on a disk that is not mounted noexec`,
    );
  });

  it("outside the program is loaded as ever", () => {
    const { seen, run } = loading([]);
    run({}, "/usr/lib/other.node");
    expect(seen).toEqual([{ file: "/usr/lib/other.node", content: "", modes: [] }]);
  });
});

it("folders that systemd gives a service are tried behind the one for temporary files; none of them is the home folder", () => {
  const env = {
    HOME: "/home/shop",
    STATE_DIRECTORY: "/var/lib/posbridge:/var/lib/other",
    XDG_RUNTIME_DIR: "relative",
    CACHE_DIRECTORY: "",
  };
  expect(usualFolders(env)).toEqual([tmpdir(), "/var/lib/posbridge", "/var/lib/other", "/dev/shm"]);
});
