import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findDataFolder, prepareDataFolder } from "../../../src/journal/data-folder.ts";
import { modeAccess } from "../../../src/journal/folder-access.ts";
import { JournalRefused } from "../../../src/journal/refusal.ts";
import { freshFolder, open } from "./folder.ts";

function refusal(run: () => unknown): JournalRefused {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof JournalRefused) return thrown;
    throw thrown;
  }
  throw new Error("it was not refused");
}

describe("the data folder", () => {
  it("is made with mode 0700 when it is missing, and its parents with it", () => {
    const folder = path.join(freshFolder(), "shop", "data");
    expect(prepareDataFolder(folder).path).toBe(folder);
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
    expect(findDataFolder(folder).journal).toBe(path.join(folder, "journal.db"));
  });

  it.each(["0750", "0705", "0701", "0710", "0777"])("is refused with mode %s, and the message has the mend", (mode) => {
    const folder = freshFolder();
    fs.chmodSync(folder, Number.parseInt(mode, 8));
    for (const use of [prepareDataFolder, findDataFolder]) {
      const { problem, message } = refusal(() => use(folder));
      expect(problem).toBe("folder-unsafe");
      expect(message).toBe(`${folder} is open to others (mode ${mode}); close it: chmod 700 ${folder}`);
    }
  });

  it("is not to be closed where it is somebody else's", () => {
    const folder = freshFolder();
    fs.chmodSync(folder, 0o755);
    fs.writeFileSync(path.join(folder, "passwd"), "");
    for (const use of [prepareDataFolder, findDataFolder]) {
      const { problem, message } = refusal(() => use(folder));
      expect(problem).toBe("folder-foreign");
      expect(message).toContain("is not a data folder, and it is open to others (mode 0755)");
      expect(message).not.toContain("chmod");
    }
  });

  it.each([
    [
      0,
      "belongs to user 54321, and this is root; run the command as that user, for example: sudo -u '#54321' posbridge ...",
    ],
    [1002, "belongs to user 54321 and this is user 1002; run as its owner (sudo -u '#54321' posbridge ...)"],
    [
      999,
      "belongs to user 54321 and this is user 999; run as its owner (sudo -u '#54321' posbridge ...), or give it to the service: sudo chown 999 FOLDER",
    ],
  ])("is another user's: user %i is told to run as that one, and root is never given it", (user, told) => {
    const folder = freshFolder();
    fs.chownSync(folder, 54_321, 54_321);
    for (const use of [prepareDataFolder, findDataFolder])
      expect(refusal(() => use(folder, modeAccess(user))).message).toBe(`${folder} ${told.replace("FOLDER", folder)}`);
  });

  it("is refused when a file has its name", () => {
    const file = path.join(freshFolder(), "data");
    fs.writeFileSync(file, "");
    expect(refusal(() => prepareDataFolder(file))).toMatchObject({
      problem: "folder-unsafe",
      message: `${file} is not a folder; name the folder of the journal`,
    });
  });

  it("is refused when it cannot be made", () => {
    const file = path.join(freshFolder(), "file");
    fs.writeFileSync(file, "");
    expect(refusal(() => prepareDataFolder(path.join(file, "data")))).toMatchObject({ problem: "folder-unsafe" });
  });

  it("has to be there for those who only read", () => {
    const folder = path.join(freshFolder(), "nowhere");
    expect(refusal(() => findDataFolder(folder))).toMatchObject({
      problem: "folder-missing",
      message: `${folder} does not exist; name the dataDir of the configuration, or the configuration itself by --config FILE`,
    });
    expect(fs.existsSync(folder)).toBe(false);
  });

  it("holds only files that nobody else may read", async () => {
    const folder = freshFolder();
    await open(folder);
    const names = fs.readdirSync(folder);
    expect(names.toSorted()).toEqual(
      expect.arrayContaining(["journal.db", "journal.db-wal", "journal.witness", "lock.db", "lock.pid"]),
    );
    expect(names.filter((name) => (fs.statSync(path.join(folder, name)).mode & 0o077) !== 0)).toEqual([]);
  });
});
