import fs from "node:fs";
import { closingCommand, othersWith, whoText } from "../kit/access-list.ts";
import { foreignMend, foreignText } from "../kit/foreign-owner.ts";
import { shellWord } from "../kit/shell-word.ts";
import { type AccessLists, systemAccessLists } from "../kit/system-access-list.ts";
import { userName } from "../kit/system-accounts.ts";
import { systemPlatform } from "../kit/system-platform.ts";

/** Permission bits that let anyone but the owner in. */
const OTHERS = 0o077;

/** Who may enter a data folder. `fix`: the command that closes it. `untold`: the system does not say. */
export type FolderLook =
  | { readonly is: "closed" }
  | { readonly is: "open"; readonly to: string; readonly fix: string }
  | { readonly is: "foreign"; readonly why: string }
  | { readonly is: "untold"; readonly why: string };

export interface FolderAccess {
  look(folder: string): FolderLook;
  /** Closes a newly made folder to everyone else. */
  closeNew(folder: string): void;
}

/** Judges owner and mode; `user` is undefined if the system has no user numbers. */
export function modeAccess(user: number | undefined): FolderAccess {
  return {
    look: (folder) => {
      const { uid, mode } = fs.statSync(folder);
      if (user !== undefined && uid !== user) {
        const owner = { uid, name: userName(uid) };
        return { is: "foreign", why: `${foreignText(owner, user)}; ${foreignMend(folder, owner, user)}` };
      }
      const octal = (mode & 0o777).toString(8).padStart(4, "0");
      return (mode & OTHERS) === 0
        ? { is: "closed" }
        : { is: "open", to: `others (mode ${octal})`, fix: `chmod 700 ${shellWord(folder)}` };
    },
    closeNew: () => undefined,
  };
}

/** Judges the access lists of Windows. */
export function listAccess(lists: AccessLists): FolderAccess {
  return {
    look: (folder) => {
      const own = lists.own();
      if (own === undefined) return { is: "untold", why: "whoami tells no SID" };
      const look = lists.read(folder);
      if (look.is === "untold") return look;
      const others = othersWith("any", look.list, own);
      if (others.length === 0) return { is: "closed" };
      return { is: "open", to: whoText(others), fix: closingCommand(folder, "folder", look.list, own) };
    },
    // If this fails, the next look reports it with the command to run by hand.
    closeNew: (folder) => void lists.close(folder, "folder"),
  };
}

export const systemFolderAccess: FolderAccess =
  systemPlatform === "windows" ? listAccess(systemAccessLists) : modeAccess(process.getuid?.());
