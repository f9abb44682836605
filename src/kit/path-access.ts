import { type AccessList, closingCommand, othersWith, whoText } from "./access-list.ts";
import { foreignMend, foreignText, ownerName, sudoAs } from "./foreign-owner.ts";
import { shellWord } from "./shell-word.ts";

/** Owner and permissions of a file or folder. */
export interface PathAccess {
  readonly path: string;
  readonly uid: number;
  /** The group; absent if nobody looked. */
  readonly gid?: number | undefined;
  /** The owner's name; absent if the machine has none. */
  readonly name?: string | undefined;
  /** Permission bits, the sticky bit included. */
  readonly mode: number;
}

/** A file or folder, followed by every folder above it. */
type ModeChain = readonly PathAccess[];

/** A path of Windows; `list` is undefined if the system does not return it. */
export interface ListedPath {
  readonly path: string;
  readonly kind: "file" | "folder" | "root";
  readonly list: AccessList | undefined;
}

/** The same chain on Windows, with the SID of the current user. */
export interface ListChain {
  readonly own: string;
  readonly paths: readonly ListedPath[];
}

export type AccessChain = ModeChain | ListChain;

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
/** In a sticky folder only the owner of a file may rename or remove it. */
const STICKY = 0o1000;

/**
 * Tells how another user than `user` or root could change or replace a file, with the fix. The rule is OpenSSH's
 * (auth.c, safe_path), but sticky folders such as /tmp pass: the owners below them are checked too.
 */
export function tamperProblem(access: AccessChain, user: number, use: Use = "read"): string | undefined {
  return "own" in access ? listTamperProblem(access, use) : modeTamperProblem(access, user, use);
}

/** The chain of a file yet to be made: the file, followed by the existing folders above it. */
export function chainOfNew(above: AccessChain, file: string, uid: number): AccessChain {
  if ("own" in above) return { ...above, paths: [{ path: file, kind: "file", list: undefined }, ...above.paths] };
  return [{ path: file, uid, mode: 0o640 }, ...above];
}

/** `install`: the program of a service must belong to root; any other file may belong to its user. */
type Use = "read" | "install";

function modeTamperProblem([self, ...above]: ModeChain, user: number, use: Use): string | undefined {
  if (self === undefined) return undefined;
  const isForeign = ({ uid }: PathAccess): boolean => uid !== 0 && uid !== user;
  if (isForeign(self)) {
    if (use === "install")
      return `belongs to ${ownerName(self)}, and the program of a service has to be root's; run: chown root ${shellWord(self.path)}`;
    return `${foreignText(self, user)}; ${foreignMend(self.path, self, user)}`;
  }
  if ((self.mode & OTHERS_WRITE) !== 0)
    return `may be changed by others (mode ${octal(self)}); run: chmod go-w ${shellWord(self.path)}`;
  const foreign = above.find(isForeign);
  if (foreign !== undefined) {
    const orAsThem = use === "install" ? "" : `, or run as that user (${sudoAs(foreign)} posbridge ...)`;
    return `lies below ${foreign.path}, which ${foreignText(foreign, user)}; move it to a folder of root's${orAsThem}`;
  }
  const open = above.filter(({ mode }) => (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0).map(({ path }) => path);
  return open.length === 0
    ? undefined
    : `lies below ${open.join(" and ")}, where others may replace it; run: chmod go-w ${open.map(shellWord).join(" ")}`;
}

function listTamperProblem({ own, paths: [self, ...above] }: ListChain, use: Use): string | undefined {
  if (self === undefined) return undefined;
  // The service's account could not run a closed program.
  const move =
    use === "install" ? "move it below C:\\Program Files" : "move it to a folder that administrators alone may change";
  const isClosable = (use !== "install" && self.kind === "file") || isOurs(self);
  const changers = others("change", self, own);
  if (changers !== undefined)
    return `may be changed by ${changers}; ${isClosable ? `run: ${closing(self, own)}` : move}`;
  for (const folder of above) {
    const who = others(folder.kind === "root" ? "replace-in-root" : "replace", folder, own);
    const orClose = isOurs(folder) ? `, or run: ${closing(folder, own)}` : "";
    if (who !== undefined) return `lies below ${folder.path}, where ${who} may replace it; ${move}${orClose}`;
  }
  return undefined;
}

/** A folder that only the bridge uses. Closing any other would lock people and programs out. */
function isOurs({ path, kind }: ListedPath): boolean {
  return kind === "folder" && /^C:\\ProgramData\\posbridge(?:\\|$)/i.test(path);
}

/**
 * Tells who besides its owner may read, write or run a private file, with the fix. `named` is the path for the command.
 */
export function privacyProblem(access: AccessChain, named: string): string | undefined {
  if ("own" in access) {
    const [self] = access.paths;
    const who = self && others("any", self, access.own);
    return self === undefined || who === undefined ? undefined : `is open to ${who}; run: ${closing(self, access.own)}`;
  }
  const [self] = access;
  return self !== undefined && (self.mode & OTHERS) !== 0
    ? `is open to others; run: chmod 600 ${shellWord(named)}`
    : undefined;
}

function others(right: Parameters<typeof othersWith>[0], { list }: ListedPath, own: string): string | undefined {
  const found = list === undefined ? [] : othersWith(right, list, own);
  return found.length === 0 ? undefined : whoText(found);
}

function closing({ path, kind, list }: ListedPath, own: string): string {
  return closingCommand(path, kind === "file" ? "file" : "folder", list, own);
}

function octal({ mode }: PathAccess): string {
  return (mode & 0o7777).toString(8).padStart(4, "0");
}
