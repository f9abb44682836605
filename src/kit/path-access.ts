import { shellWord } from "./shell-word.ts";

/** Who owns a file or folder, and who may write there. */
export interface PathAccess {
  readonly path: string;
  readonly uid: number;
  /** Permission bits, the sticky bit included. */
  readonly mode: number;
}

/** A file or folder, and then every folder above it. Empty on a system without owners and modes (Windows). */
export type AccessChain = readonly PathAccess[];

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
/** In a sticky folder nobody but its owner may rename or remove what belongs to somebody else. */
const STICKY = 0o1000;

/**
 * How somebody other than `user` and root could change or replace a file, with the fix; undefined where nobody could. The rule is OpenSSH's (auth.c, safe_path),
 * but a sticky folder such as /tmp is let pass: the owners below it are checked too.
 */
export function tamperProblem([self, ...above]: AccessChain, user: number): string | undefined {
  if (self === undefined) return undefined;
  const isForeign = ({ uid }: PathAccess): boolean => uid !== 0 && uid !== user;
  if (isForeign(self)) return `belongs to user ${self.uid} and this is user ${user}; run as its owner, or: chown ${user} ${shellWord(self.path)}`;
  if ((self.mode & OTHERS_WRITE) !== 0) return `may be changed by others (mode ${octal(self)}); run: chmod go-w ${shellWord(self.path)}`;
  const foreign = above.find(isForeign);
  if (foreign !== undefined)
    return `lies below ${foreign.path}, which belongs to user ${foreign.uid} and this is user ${user}; run as that user, or: chown ${user} ${shellWord(foreign.path)}`;
  const open = above.filter(({ mode }) => (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0).map(({ path }) => path);
  return open.length === 0 ? undefined : `lies below ${open.join(" and ")}, where others may replace it; run: chmod go-w ${open.map(shellWord).join(" ")}`;
}

/** Whether anybody but its owner may read, write or run the file or folder itself. */
export function isOpenToOthers([self]: AccessChain): boolean {
  return self !== undefined && (self.mode & OTHERS) !== 0;
}

function octal({ mode }: PathAccess): string {
  return (mode & 0o7777).toString(8).padStart(4, "0");
}
