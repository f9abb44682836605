import nodePath from "node:path";
import type { ServiceMachine } from "../../../src/commands/service-install.ts";
import type { PathAccess } from "../../../src/kit/path-access.ts";

interface Folder {
  readonly user: string;
  readonly empty: boolean;
}

/** Numbers of users and of their groups. */
const NUMBERS: Readonly<Record<string, number>> = { root: 0, posbridge: 998, shop: 1000 };

/** A machine in memory, and what was run on it. */
export interface PretendedMachine extends ServiceMachine {
  readonly files: Map<string, string>;
  readonly folders: Map<string, Folder>;
  readonly users: Set<string>;
  /** Owner, group and mode of files and folders; root's, to be read by all, where nothing is said. */
  readonly rights: Map<string, Partial<PathAccess>>;
  readonly ran: string[];
  /** Commands that fail, by their first words. */
  readonly failing: Map<string, string>;
  /** What systemctl show says. */
  shown: string;
}

export function pretendedMachine({
  root = true,
  groups = ["dialout"],
}: {
  readonly root?: boolean;
  readonly groups?: readonly string[];
} = {}): PretendedMachine {
  const files = new Map([["/run/systemd/system", ""]]);
  const folders = new Map<string, Folder>();
  const users = new Set<string>();
  const rights = new Map<string, Partial<PathAccess>>();
  const ran: string[] = [];
  const failing = new Map<string, string>();
  const machine: PretendedMachine = {
    ...{
      files,
      folders,
      users,
      rights,
      ran,
      failing,
      shown: "LoadState=not-found\nActiveState=inactive\nSubState=dead\n",
    },
    isRoot: () => root,
    exists: (path) => files.has(path) || folders.has(path),
    read: (path) => files.get(path),
    write: (path, text) => void files.set(path, text),
    remove: (path) => void files.delete(path),
    copyProgram: (from, to) => {
      const isNew = files.get(to) !== files.get(from);
      files.set(to, files.get(from) ?? "");
      return isNew;
    },
    tamperProblem: (path) =>
      files.get(path) === "anybody's" ? "may be changed by others (mode 0777); run: chmod go-w it" : undefined,
    modes: (path) => {
      if (!files.has(path)) return undefined;
      const modeOf = (each: string): PathAccess => ({
        path: each,
        uid: 0,
        gid: 0,
        mode: each === path ? 0o644 : 0o755,
        ...rights.get(each),
      });
      return [modeOf(path), ...foldersAbove(path).map(modeOf)];
    },
    give: (path, { user, group, mode }) =>
      void rights.set(path, { uid: NUMBERS[user] ?? -1, gid: NUMBERS[group] ?? -1, mode }),
    reader: (user) => (users.has(user) ? { uid: NUMBERS[user] ?? -1, gids: [NUMBERS[user] ?? -1] } : undefined),
    folder: (path) => folders.get(path),
    makeFolder: ({ path }, user) => void folders.set(path, { user, empty: true }),
    hasUser: (name) => users.has(name),
    hasGroup: (name) => groups.includes(name),
    run: (argv) => {
      const line = argv.join(" ");
      if (line.startsWith("systemctl show")) return { code: 0, out: machine.shown, err: "" };
      ran.push(line);
      const [, err] = [...failing].find(([words]) => line.startsWith(words)) ?? [];
      if (err !== undefined) return { code: 1, out: "", err };
      if (argv[0] === "useradd") users.add(argv.at(-1) ?? "");
      return { code: 0, out: "", err: "" };
    },
  };
  return machine;
}

function foldersAbove(file: string): readonly string[] {
  const folder = nodePath.posix.dirname(file);
  return folder === file ? [] : [folder, ...foldersAbove(folder)];
}
