import fs from "node:fs";

export interface SystemAccount {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Users of passwd(5); none on a system without that file. */
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

/** Numbers of a user's groups, from passwd(5) and group(5). */
export function groupsOf({ name, gid }: SystemAccount, file = "/etc/group"): readonly number[] {
  const lines = fs.existsSync(file) ? fs.readFileSync(file, "utf8").split("\n") : [];
  const others = lines.flatMap((line) => {
    const [, , number = "", members = ""] = line.split(":");
    return /^[0-9]+$/.test(number) && members.split(",").includes(name) ? [Number(number)] : [];
  });
  return [...new Set([gid, ...others])];
}

/** Undefined: passwd(5) does not list that user. */
export function userName(uid: number): string | undefined {
  return accounts().find((account) => account.uid === uid)?.name;
}
