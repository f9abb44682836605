import fs from "node:fs";

/** A user of this machine. */
export interface SystemAccount {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Users as passwd(5) lists them; none on a system without that file. */
function accounts(file = "/etc/passwd"): readonly SystemAccount[] {
  if (!fs.existsSync(file)) return [];
  const lines = fs.readFileSync(file, "utf8").split("\n");
  return lines.flatMap((line) => {
    const [name = "", , uid = "", gid = ""] = line.split(":");
    return /^[0-9]+$/.test(uid) && /^[0-9]+$/.test(gid) ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

export function accountNamed(name: string): SystemAccount | undefined {
  return accounts().find((account) => account.name === name);
}

/** The numbers of a user's groups, as passwd(5) and group(5) list them. */
export function groupsOf({ name, gid }: SystemAccount, file = "/etc/group"): readonly number[] {
  const lines = fs.existsSync(file) ? fs.readFileSync(file, "utf8").split("\n") : [];
  const others = lines.flatMap((line) => {
    const [, , number = "", members = ""] = line.split(":");
    return /^[0-9]+$/.test(number) && members.split(",").includes(name) ? [Number(number)] : [];
  });
  return [...new Set([gid, ...others])];
}

/** Undefined where passwd(5) does not list that user. */
export function userName(uid: number): string | undefined {
  return accounts().find((account) => account.uid === uid)?.name;
}
