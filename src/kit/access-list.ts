/*
 * Access lists of Windows in their text form (SDDL; Microsoft, "ACE strings", "SID strings"). Unlike the output of
 * icacls, it is the same in every language of Windows.
 */

export interface Grant {
  /** A SID ("S-1-5-11"), or SDDL's two letters for a group of the machine or domain ("DU"). */
  readonly who: string;
  /** Access mask. */
  readonly rights: number;
  /** Applies to new files and folders inside, not to the folder itself. */
  readonly inheritOnly: boolean;
}

/** `open`: no list, so everybody has every right. Denials are ignored: a grant beside one still counts. */
export type AccessList = { readonly is: "list"; readonly grants: readonly Grant[] } | { readonly is: "open" };

/** Two letters that mean the same SID on every machine. */
const WELL_KNOWN: Readonly<Record<string, string>> = {
  ...{
    WD: "S-1-1-0",
    CO: "S-1-3-0",
    CG: "S-1-3-1",
    OW: "S-1-3-4",
    NU: "S-1-5-2",
    IU: "S-1-5-4",
    SU: "S-1-5-6",
    AN: "S-1-5-7",
    ED: "S-1-5-9",
    PS: "S-1-5-10",
  },
  ...{ AU: "S-1-5-11", RC: "S-1-5-12", SY: "S-1-5-18", LS: "S-1-5-19", NS: "S-1-5-20", AC: "S-1-15-2-1" },
  ...{
    BA: "S-1-5-32-544",
    BU: "S-1-5-32-545",
    BG: "S-1-5-32-546",
    PU: "S-1-5-32-547",
    AO: "S-1-5-32-548",
    SO: "S-1-5-32-549",
    PO: "S-1-5-32-550",
  },
  ...{
    BO: "S-1-5-32-551",
    RE: "S-1-5-32-552",
    RU: "S-1-5-32-554",
    RD: "S-1-5-32-555",
    NO: "S-1-5-32-556",
    MU: "S-1-5-32-558",
    LU: "S-1-5-32-559",
  },
};

const NAMES: Readonly<Record<string, string>> = {
  "S-1-1-0": "Everyone",
  "S-1-5-4": "everybody who logs on here",
  "S-1-5-11": "Authenticated Users",
  "S-1-5-19": "LocalService",
  "S-1-5-20": "NetworkService",
  "S-1-5-32-545": "Users",
  "S-1-5-32-546": "Guests",
};

/** Access mask bits of a file or folder (winnt.h). In a folder, `writeData` makes files and `append` makes folders. */
const BIT = {
  ...{
    readData: 0x1,
    writeData: 0x2,
    append: 0x4,
    readEa: 0x8,
    writeEa: 0x10,
    execute: 0x20,
    deleteChild: 0x40,
    readAttributes: 0x80,
    writeAttributes: 0x100,
  },
  ...{ delete: 0x1_0000, readControl: 0x2_0000, writeDac: 0x4_0000, writeOwner: 0x8_0000, synchronize: 0x10_0000 },
  ...{ genericAll: 0x1000_0000, genericExecute: 0x2000_0000, genericWrite: 0x4000_0000, genericRead: 0x8000_0000 },
};

/** SDDL's two letters for rights. */
const RIGHTS: Readonly<Record<string, number>> = {
  ...{ GA: BIT.genericAll, GX: BIT.genericExecute, GW: BIT.genericWrite, GR: BIT.genericRead },
  ...{ FA: 0x1f01ff, FR: 0x120089, FW: 0x120116, FX: 0x1200a0 },
  ...{ SD: BIT.delete, RC: BIT.readControl, WD: BIT.writeDac, WO: BIT.writeOwner },
  ...{
    CC: BIT.readData,
    DC: BIT.writeData,
    LC: BIT.append,
    SW: BIT.readEa,
    RP: BIT.writeEa,
    WP: BIT.execute,
    DT: BIT.deleteChild,
  },
  ...{ LO: BIT.readAttributes, CR: BIT.writeAttributes },
};

const ACE = String.raw`\((?:[^()]|\([^()]*\))*\)`;
const DESCRIPTOR = new RegExp(`^(?:O:[^:]*?)?(?:G:[^:]*?)?(?:D:(?<flags>[A-Z_]*)(?<aces>(?:${ACE})*))?(?:S:.*)?$`, "s");

/** The access list in a security descriptor's text. Undefined: it cannot be parsed and must not count as closed. */
export function readSddl(text: string): AccessList | undefined {
  const found = DESCRIPTOR.exec(text.trim());
  if (found === null) return undefined;
  const { flags, aces } = found.groups ?? {};
  if (flags === undefined || aces === undefined || flags.includes("NO_ACCESS_CONTROL")) return { is: "open" };
  const grants: Grant[] = [];
  for (const [ace] of aces.matchAll(new RegExp(ACE, "g"))) {
    const [type = "", how = "", rights = "", , , who = ""] = ace.slice(1, -1).split(";");
    const mask = maskOf(rights);
    if (mask === undefined || who === "" || !/^[OX]?[AD]$/.test(type)) return undefined;
    if (type.endsWith("A"))
      grants.push({ who: WELL_KNOWN[who] ?? who, rights: mask, inheritOnly: /^(?:..)*IO/.test(how) });
  }
  return { is: "list", grants };
}

function maskOf(text: string): number | undefined {
  if (/^(?:0x[0-9a-f]{1,8}|[0-9]{1,10})$/i.test(text)) return Number(text);
  const codes = text.match(/../g) ?? [];
  const masks = codes.flatMap((code) => RIGHTS[code] ?? []);
  return codes.join("") === text && masks.length === codes.length
    ? masks.reduce((all, one) => (all | one) >>> 0, 0)
    : undefined;
}

/** Seeing a file and its access list gives no access to its content. */
const HARMLESS = BIT.readAttributes | BIT.readEa | BIT.readControl | BIT.synchronize;
const OWNING = (BIT.delete | BIT.writeDac | BIT.writeOwner | BIT.genericAll) >>> 0;

/**
 * Rights that others must not have:
 * - `any`: access to a private file or folder
 * - `change`: writing to a file
 * - `replace`: replacing a folder's file
 * - `replace-in-root`: the same in a drive's root, which cannot be renamed
 */
export type Right = "any" | "change" | "replace" | "replace-in-root";

const FORBIDDEN: Readonly<Record<Right, number>> = {
  any: ~HARMLESS >>> 0,
  change: (OWNING | BIT.writeData | BIT.append | BIT.writeEa | BIT.genericWrite) >>> 0,
  replace: (OWNING | BIT.deleteChild) >>> 0,
  "replace-in-root": ((OWNING & ~BIT.delete) | BIT.deleteChild) >>> 0,
};

const SYSTEM = "S-1-5-18";
const ADMINISTRATORS = "S-1-5-32-544";

/** Administrators can take every right anyway; creators own the file; only an administrator can install a service. */
function isTrusted(who: string, own: string): boolean {
  return (
    [own, SYSTEM, ADMINISTRATORS, "S-1-3-0", "S-1-3-4", "LA", "DA", "EA"].includes(who) || who.startsWith("S-1-5-80-")
  );
}

/** Everybody with that right except `own`, the system, administrators and services; each once. */
export function othersWith(right: Right, list: AccessList, own: string): readonly string[] {
  if (list.is === "open") return ["S-1-1-0"];
  const given = list.grants.filter(({ who, rights, inheritOnly }) => {
    // A closed folder does not protect the files below: on Windows everybody may bypass it (SeChangeNotifyPrivilege).
    if (inheritOnly && right !== "any") return false;
    return !isTrusted(who, own) && (rights & FORBIDDEN[right]) >>> 0 !== 0;
  });
  return [...new Set(given.map(({ who }) => who))];
}

/**
 * Names for people, if every Windows has one. The bridge may run under another account of this machine, which must not
 * be shut out.
 */
export function whoText(others: readonly string[]): string {
  const names = others.map((who) => (NAMES[who] === undefined ? who : `${NAMES[who]} (${who})`));
  const isAccounts = others.every((who) => who.startsWith("S-1-5-21-"));
  return `${names.join(" and ")}${isAccounts ? " (if the bridge runs as that user, run this command as it)" : ""}`;
}

/** Numbers of a domain's own groups, which SDDL writes as two letters. */
const OF_DOMAIN: Readonly<Record<string, number>> = { LG: 501, DU: 513, DG: 514, DC: 515, DD: 516 };

function sidOf(who: string, own: string): string {
  const number = OF_DOMAIN[who];
  return number === undefined ? who : own.replace(/[0-9]+$/, String(number));
}

/**
 * The command that closes a file or folder to all but `own`, the system, administrators and services that had access.
 * It works in cmd and PowerShell, in every language of Windows.
 */
export function closingCommand(
  path: string,
  kind: "file" | "folder",
  list: AccessList | undefined,
  own: string,
): string {
  return [
    "icacls",
    `"${path}"`,
    ...closingArguments(kind, list, own).map((word) => (word.startsWith("*") ? `"${word}"` : word)),
  ].join(" ");
}

/** The arguments of `closingCommand`, unquoted. */
export function closingArguments(
  kind: "file" | "folder",
  list: AccessList | undefined,
  own: string,
): readonly string[] {
  const grants = list?.is === "list" ? list.grants.map(({ who }) => who) : [];
  const services = grants.filter((who) => who.startsWith("S-1-5-80-"));
  const others =
    list?.is === "list" ? [...new Set(grants)].filter((who) => !isTrusted(who, own)).map((who) => sidOf(who, own)) : [];
  const keepers = [...new Set([own, SYSTEM, ADMINISTRATORS, ...services])];
  const full = kind === "folder" ? "(OI)(CI)F" : "F";
  return [
    "/inheritance:r",
    "/grant:r",
    ...keepers.map((who) => `*${who}:${full}`),
    ...(others.length === 0 ? [] : ["/remove:g", ...others.map((who) => `*${who}`)]),
  ];
}
