import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { closeToOthers, usualFolders } from "../../../src/commands/packed-addons.ts";
import { PACKED_FOLDER } from "../../../src/commands/packed-folder.ts";
import { windowsAddonLoader } from "../../../src/commands/windows-addons.ts";
import { accessListsBy } from "../../../src/kit/system-access-list.ts";

const SERIAL = `${PACKED_FOLDER}@serialport+bindings-cpp.node`;
const OTHER = `${PACKED_FOLDER}usb.win32-x64-msvc.node`;
const NOW = Date.UTC(2026, 1, 3);

function folder(): string {
  const made = fs.mkdtempSync(path.join(tmpdir(), "posbridge-windows-addons-"));
  onTestFinished(() => fs.rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A process of Windows: what it loaded, and where from. */
function loading(folders: readonly string[], close: (made: string) => string | undefined = () => undefined) {
  const loaded: { readonly file: string; readonly content: string }[] = [];
  const load = (_module: object, file: string): void =>
    void loaded.push({ file, content: fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "" });
  return {
    loaded,
    run: windowsAddonLoader({ load, read: (name) => Buffer.from(`code of ${name}`), folders, close, now: () => NOW }),
  };
}

/** What a process left that ended so long ago. */
function leftBehind(parent: string, name: string, agoMs: number): string {
  const left = path.join(parent, name);
  fs.mkdirSync(left);
  fs.writeFileSync(path.join(left, "node.napi.node"), "old");
  fs.utimesSync(left, (NOW - agoMs) / 1_000, (NOW - agoMs) / 1_000);
  return left;
}

describe("native code of the packaged program on Windows", () => {
  it("is loaded from one folder of the process, which is closed to others first", () => {
    const parent = folder();
    const closed: string[] = [];
    const { loaded, run } = loading([parent], (made) => {
      expect(fs.readdirSync(made)).toEqual([]);
      closed.push(made);
      return undefined;
    });
    run({}, SERIAL);
    run({}, OTHER);
    run({}, SERIAL);
    expect(closed).toHaveLength(1);
    const codes = ["@serialport+bindings-cpp.node", "usb.win32-x64-msvc.node", "@serialport+bindings-cpp.node"].map(
      (name) => `code of ${name}`,
    );
    expect(loaded.map(({ content }) => content)).toEqual(codes);
    expect(loaded.every(({ file }) => path.dirname(file) === closed[0])).toBe(true);
    expect(loaded[0]?.file).toBe(loaded[2]?.file);
  });

  it("goes with the next start, because a loaded file cannot be removed", () => {
    const parent = folder();
    const [old, fresh] = [
      leftBehind(parent, "posbridge-addons-old", 61_000),
      leftBehind(parent, "posbridge-addons-new", 59_000),
    ];
    const foreign = leftBehind(parent, "other-program", 86_400_000);
    const { run } = loading([parent]);
    run({}, SERIAL);
    expect([old, fresh, foreign].map((each) => fs.existsSync(each))).toEqual([false, true, true]);
    expect(fs.readdirSync(parent)).toHaveLength(3);
  });

  it("passes over a folder that others can change, and leaves nothing there", () => {
    const [open, good] = [folder(), folder()];
    const { loaded, run } = loading([path.join(open, "missing"), open, good], (made) =>
      made.startsWith(open) ? "may be changed by Users" : undefined,
    );
    run({}, SERIAL);
    expect(loaded.map(({ file }) => path.dirname(path.dirname(file)))).toEqual([good]);
    expect(fs.readdirSync(open)).toEqual([]);
  });

  it("passes over a folder that cannot be closed, whatever its list says", () => {
    const [open, good] = [folder(), folder()];
    const lists = accessListsBy((tool, [file = ""]) => {
      if (tool === "icacls" && file.startsWith(open)) throw new Error("icacls ended with 5");
      return '"k\\m","S-1-5-18"';
    });
    const { loaded, run } = loading([open, good], (made) => closeToOthers(made, lists));
    run({}, SERIAL);
    expect(loaded.map(({ file }) => path.dirname(path.dirname(file)))).toEqual([good]);
    expect(fs.readdirSync(open)).toEqual([]);
  });

  it("goes into the user's own profile where the disk has no access lists, and nowhere else there", () => {
    const [profile, elsewhere] = [folder(), folder()];
    const lists = accessListsBy(() => {
      throw new Error("icacls ended with 1");
    });
    const { loaded, run } = loading([elsewhere, profile], (made) => closeToOthers(made, lists, profile));
    run({}, SERIAL);
    expect(loaded.map(({ file }) => path.dirname(path.dirname(file)))).toEqual([profile]);
    expect(closeToOthers(profile.slice(0, -1), lists, profile)).toBe("whoami tells no SID");
  });

  it("goes into no folder of the profile that a list leaves open", () => {
    const profile = folder();
    const lists = {
      ...accessListsBy(() => ""),
      close: () => "icacls ended with 5",
      read: () => ({ is: "told", list: { is: "open" } }) as const,
    };
    expect(closeToOthers(path.join(profile, "a"), lists, profile)).toBe("icacls ended with 5");
  });

  it("that has no folder is told in one line with the folders, and what to set", () => {
    const open = folder();
    const { loaded, run } = loading([open], () => "may be changed by Users");
    expect(() => run({}, SERIAL)).toThrow(
      `native code (@serialport+bindings-cpp.node) can be loaded by way of no folder (${open}); set TEMP to a folder that this user may write in`,
    );
    expect(loaded).toEqual([]);
  });

  it("that may not be loaded from the folder is told as Windows says it", () => {
    const load = (): void => {
      throw new Error("blocked by group policy");
    };
    const run = windowsAddonLoader({
      load,
      read: () => Buffer.from("code"),
      folders: [folder()],
      close: () => undefined,
      now: () => NOW,
    });
    expect(() => run({}, SERIAL)).toThrow("blocked by group policy");
  });

  it("outside the program is loaded as ever", () => {
    const { loaded, run } = loading([folder()]);
    run({}, "C:\\Windows\\other.node");
    expect(loaded).toMatchObject([{ file: "C:\\Windows\\other.node" }]);
  });
});

it("on Windows the folders are the user's own", () => {
  expect(
    usualFolders({ LOCALAPPDATA: "C:\\Users\\shop\\AppData\\Local", STATE_DIRECTORY: "/var/lib" }, "windows"),
  ).toEqual([tmpdir(), "C:\\Users\\shop\\AppData\\Local"]);
});
