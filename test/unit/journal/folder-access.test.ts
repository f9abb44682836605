import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findDataFolder, prepareDataFolder } from "../../../src/journal/data-folder.ts";
import { type FolderAccess, listAccess } from "../../../src/journal/folder-access.ts";
import { readSddl } from "../../../src/kit/access-list.ts";
import type { AccessLists } from "../../../src/kit/system-access-list.ts";
import { freshFolder } from "./folder.ts";

const OWN = "S-1-5-21-1-2-3-1001";
const OPEN = "D:(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;BU)";
const CLOSED = `D:PAI(A;OICI;FA;;;${OWN})(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)`;

/** Access lists of Windows, `found` before a folder was closed here. */
function windows(
  found: string | undefined,
  own: string | null = OWN,
): { readonly access: FolderAccess; readonly closed: readonly string[] } {
  const closed: string[] = [];
  const lists: AccessLists = {
    own: () => own ?? undefined,
    read: (file) => {
      const list = readSddl(closed.includes(file) ? CLOSED : (found ?? "?"));
      return list === undefined ? { is: "untold", why: "icacls told no access list" } : { is: "told", list };
    },
    close: (file) => void closed.push(file),
  };
  return { access: listAccess(lists), closed };
}

describe("a data folder of Windows", () => {
  it("that is made here is closed to others by its access list", () => {
    const folder = path.join(freshFolder(), "data");
    const { access, closed } = windows(OPEN);
    expect(prepareDataFolder(folder, access).path).toBe(folder);
    expect(closed).toEqual([folder]);
  });

  it.each([prepareDataFolder, findDataFolder])(
    "that others may enter is refused with the command that closes it: %o",
    (use) => {
      const folder = freshFolder();
      fs.writeFileSync(path.join(folder, "lock.db"), "");
      const { access, closed } = windows(OPEN);
      expect(() => use(folder, access)).toThrow(
        `${folder} is open to Users (S-1-5-32-545); close it: icacls "${folder}" /inheritance:r /grant:r "*${OWN}:(OI)(CI)F" ` +
          `"*S-1-5-18:(OI)(CI)F" "*S-1-5-32-544:(OI)(CI)F" /remove:g "*S-1-5-32-545"`,
      );
      expect(closed).toEqual([]);
    },
  );

  it("nobody is told to close a folder of somebody else's", () => {
    const folder = freshFolder();
    fs.writeFileSync(path.join(folder, "letter.txt"), "");
    expect(() => findDataFolder(folder, windows(OPEN).access)).toThrow(
      `${folder} is not a data folder, and it is open to Users (S-1-5-32-545); name the dataDir`,
    );
  });

  it.each([
    ["a closed one", CLOSED, OWN, { is: "closed" }],
    ["one of which icacls tells nothing", undefined, OWN, { is: "untold", why: "icacls told no access list" }],
    ["one where whoami tells nothing", CLOSED, null, { is: "untold", why: "whoami tells no SID" }],
  ])("%s is used", (_, sddl, own, look) => {
    const folder = freshFolder();
    const { access } = windows(sddl, own);
    expect(access.look(folder)).toEqual(look);
    expect(prepareDataFolder(folder, access).path).toBe(folder);
  });
});
