import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AccessList,
  closingCommand,
  othersWith,
  type Right,
  readSddl,
  whoText,
} from "../../../src/kit/access-list.ts";
import { chainOfNew, type ListedPath, privacyProblem, tamperProblem } from "../../../src/kit/path-access.ts";
import {
  accessListsBy,
  closeNewFile,
  closeNewTo,
  ownSid,
  type RunTool,
  savedSddl,
} from "../../../src/kit/system-access-list.ts";
import { listedAccess } from "../../../src/kit/system-path-access.ts";

const OWN = "S-1-5-21-397955417-626881126-188441444-1001";

/** As `icacls /save` writes them of folders and files of Windows 10 and 11. */
const RECORDED = {
  home: `D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;${OWN})`,
  inHome: `D:AI(A;ID;FA;;;SY)(A;ID;FA;;;BA)(A;ID;FA;;;${OWN})`,
  closed: `D:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;${OWN})S:(ML;;NW;;;HI)`,
  programData: "D:PAI(A;OICIIO;GA;;;CO)(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;BU)(A;CI;DCLCRPCR;;;BU)",
  root: "D:PAI(A;OICI;FA;;;BA)(A;OICI;FA;;;SY)(A;OICI;0x1200a9;;;BU)(A;OICIIO;SDGXGWGR;;;AU)(A;;LC;;;AU)",
  belowRoot:
    "D:AI(A;OICIID;FA;;;BA)(A;OICIID;FA;;;SY)(A;OICIID;0x1200a9;;;BU)(A;ID;0x1301bf;;;AU)(A;OICIIOID;SDGXGWGR;;;AU)",
  fileBelowRoot: "D:AI(A;ID;FA;;;BA)(A;ID;FA;;;SY)(A;ID;0x1200a9;;;BU)(A;ID;0x1301bf;;;AU)",
  service:
    "D:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;S-1-5-80-3028837079-3186095147-955107200-3701964851-1150726376)",
  everyone: "D:(A;OICI;FA;;;WD)",
  secondDrive: "D:(A;OICI;FA;;;BA)(A;OICI;FA;;;SY)(A;OICI;0x1301bf;;;AU)(A;OICI;0x1200a9;;;BU)",
  domain: `D:AI(A;ID;FA;;;SY)(A;ID;FA;;;DA)(A;ID;FR;;;DU)(A;ID;FA;;;${OWN})`,
};

function list(text: string): AccessList {
  const read = readSddl(text);
  if (read === undefined) throw new Error(`not understood: ${text}`);
  return read;
}

describe("who else has a right, by the access list alone", () => {
  const [users, authenticated] = ["S-1-5-32-545", "S-1-5-11"];
  it.each<[keyof typeof RECORDED, Right, readonly string[]]>([
    ["home", "any", []],
    ["inHome", "any", []],
    ["closed", "any", []],
    ["service", "any", []],
    ["programData", "any", [users]],
    ["programData", "replace", []],
    ["root", "any", [users, authenticated]],
    ["root", "replace-in-root", []],
    ["belowRoot", "any", [users, authenticated]],
    ["belowRoot", "replace", [authenticated]],
    ["fileBelowRoot", "change", [authenticated]],
    ["fileBelowRoot", "any", [users, authenticated]],
    ["everyone", "replace", ["S-1-1-0"]],
    ["secondDrive", "replace-in-root", []],
    ["secondDrive", "replace", [authenticated]],
    ["domain", "any", ["DU"]],
    ["domain", "change", []],
  ])("%s, %s: %j", (name, right, others) => {
    expect(othersWith(right, list(RECORDED[name]), OWN)).toEqual(others);
  });

  it.each([
    ["no list at all", ""],
    ["no list beside an owner", "O:BAG:SY"],
    ["a list that is switched off", "D:NO_ACCESS_CONTROL"],
  ])("%s lets everybody in", (_, text) => {
    expect(othersWith("any", list(text), OWN)).toEqual(["S-1-1-0"]);
  });

  it.each([
    ["an empty list lets nobody in", "D:P", []],
    ["to see attributes and the list itself opens nothing", "D:(A;;0x120080;;;BU)", []],
    ["a denial gives nothing", "D:(D;;FA;;;BU)(A;;FA;;;SY)", []],
    ["a denial takes nothing off a grant here", "D:(D;;FW;;;BU)(A;;FR;;;BU)", ["S-1-5-32-545"]],
    ["a grant under a condition is a grant", 'D:(XA;;FR;;;BU;(@User.Title == "Cashier"))', ["S-1-5-32-545"]],
    ["an owner and a group stand before the list", "O:BAG:DUD:(A;;FR;;;BG)", ["S-1-5-32-546"]],
    ["whoever stands there twice is named once", "D:(A;;FR;;;BU)(A;;FW;;;BU)", ["S-1-5-32-545"]],
  ])("%s", (_, text, others) => {
    expect(othersWith("any", list(text), OWN)).toEqual(others);
  });
});

describe("what is no access list", () => {
  it.each([
    "hello",
    "D:(A;;FA;;BU)",
    "D:(A;;QQ;;;BU)",
    "D:(A;;F;;;BU)",
    "D:(AU;SA;FA;;;BU)",
    "D:(A;;FA;;;BU",
    "(A;;FA;;;SY)",
  ])("is not taken for one: %s", (text) => {
    expect(readSddl(text)).toBeUndefined();
  });

  it("is never taken for a closed one, whatever it is", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = readSddl(text);
        if (read?.is === "list") expect(text).toContain("D:");
      }),
    );
  });
});

it("every grant of a list that was written is read back", () => {
  const sid = fc.tuple(fc.nat(5), fc.nat(2 ** 31)).map(([authority, number]) => `S-1-${authority}-${number}`);
  const grant = fc.record({ who: sid, rights: fc.nat(2 ** 31), inheritOnly: fc.boolean() });
  fc.assert(
    fc.property(fc.array(grant), (grants) => {
      const aces = grants.map(
        ({ who, rights, inheritOnly }) => `(A;${inheritOnly ? "OICIIO" : "ID"};0x${rights.toString(16)};;;${who})`,
      );
      expect(readSddl(`D:AI${aces.join("")}`)).toEqual({ is: "list", grants });
    }),
  );
});

describe("the command that closes", () => {
  it.each([
    ["a folder", "folder" as const, "(OI)(CI)F"],
    ["a file", "file" as const, "F"],
  ])("%s gives all rights to three and takes what others have", (_, kind, right) => {
    expect(closingCommand("C:\\Kasse 1\\x", kind, list("D:(A;;FR;;;BU)(A;;FA;;;SY)"), OWN)).toBe(
      `icacls "C:\\Kasse 1\\x" /inheritance:r /grant:r "*${OWN}:${right}" "*S-1-5-18:${right}" "*S-1-5-32-544:${right}" /remove:g "*S-1-5-32-545"`,
    );
  });

  it("keeps a service's access, and names a domain's group by its number", () => {
    const service = "S-1-5-80-1-2-3";
    expect(closingCommand("C:\\x", "file", list(`D:(A;;FA;;;${service})(A;;FR;;;DU)`), OWN)).toBe(
      `icacls "C:\\x" /inheritance:r /grant:r "*${OWN}:F" "*S-1-5-18:F" "*S-1-5-32-544:F" "*${service}:F" /remove:g "*S-1-5-21-397955417-626881126-188441444-513"`,
    );
  });
});

it.each([
  [["S-1-5-32-545", "S-1-5-11"], "Users (S-1-5-32-545) and Authenticated Users (S-1-5-11)"],
  [["S-1-5-21-1-2-3-1004"], "S-1-5-21-1-2-3-1004 (if the bridge runs as that user, run this command as it)"],
  [["S-1-5-21-1-2-3-1004", "S-1-1-0"], "S-1-5-21-1-2-3-1004 and Everyone (S-1-1-0)"],
])("%j are called %s", (who, text) => {
  expect(whoText(who)).toBe(text);
});

describe("what the tools of Windows answer", () => {
  it("whoami tells the SID last, in every language", () => {
    expect(ownSid(`"kasse-1\\müller","${OWN}"\r\n`)).toBe(OWN);
    expect(ownSid('"nt-autorität\\system","S-1-5-18"\r\n')).toBe("S-1-5-18");
    expect(ownSid("ERROR: no access\r\n")).toBeUndefined();
  });

  it.each([
    ["without a mark", ""],
    ["with one", "\uFEFF"],
  ])("icacls saves a name and a descriptor in UTF-16, %s", (_, mark) => {
    expect(savedSddl(Buffer.from(`${mark}D:\\Kasse\r\n${RECORDED.home}\r\n`, "utf16le"))).toBe(RECORDED.home);
    expect(savedSddl(Buffer.from(`${mark}`, "utf16le"))).toBeUndefined();
  });
});

/** Windows, played on this machine: what icacls would save of each path, by the path's last part. */
function windows(saves: Readonly<Record<string, string>>, whoami = `"k\\m","${OWN}"`) {
  const calls: string[] = [];
  const run: RunTool = (tool, args) => {
    calls.push([tool, ...args.map((arg) => (arg.includes("posbridge-acl-") ? "TEMPORARY" : arg))].join(" "));
    if (tool === "whoami") return whoami;
    const [file = "", verb, to = ""] = args;
    const sddl = saves[path.basename(file)];
    if (verb === "/save" && sddl !== undefined)
      fs.writeFileSync(to, `${path.basename(file)}\r\n${sddl}\r\n`, "utf16le");
    return "";
  };
  return { lists: accessListsBy(run), calls };
}

describe("a file of Windows", () => {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(tmpdir()), "posbridge-windows-"));
  const file = path.join(folder, "gateway-token");
  fs.writeFileSync(file, "");
  const parent = path.basename(folder);
  process.once("exit", () => fs.rmSync(folder, { recursive: true, force: true }));

  it.each([
    ["closed, in a closed folder", { "gateway-token": RECORDED.inHome, [parent]: RECORDED.home }, undefined, undefined],
    [
      "in ProgramData, where others may read",
      { "gateway-token": "D:(A;;FR;;;BU)", [parent]: RECORDED.programData },
      'is open to Users (S-1-5-32-545); run: icacls "',
      undefined,
    ],
    [
      "below a drive's root, where others may change it",
      { "gateway-token": RECORDED.fileBelowRoot, [parent]: RECORDED.belowRoot },
      'is open to Users (S-1-5-32-545) and Authenticated Users (S-1-5-11); run: icacls "',
      'may be changed by Authenticated Users (S-1-5-11); run: icacls "',
    ],
    [
      "closed, in a folder where others may replace it",
      { "gateway-token": RECORDED.inHome, [parent]: RECORDED.belowRoot },
      undefined,
      `lies below ${folder}, where Authenticated Users (S-1-5-11) may replace it; move it to a folder that administrators alone may change`,
    ],
    ["of which icacls tells nothing", {}, undefined, undefined],
  ])("%s", (_, saves, privacy, tampering) => {
    const access = listedAccess(file, windows(saves).lists);
    const told = [privacyProblem(access, file), tamperProblem(access, 0)];
    expect(told).toEqual(
      [privacy, tampering].map((text) => (text === undefined ? undefined : expect.stringMatching(`^${escaped(text)}`))),
    );
  });

  it("cannot be judged where Windows does not tell who this is", () => {
    expect(listedAccess(file, windows({}, "").lists)).toEqual([]);
  });

  it("that is new is closed by the same command that a person would be told", () => {
    const { lists, calls } = windows({});
    expect(lists.close(file, "file")).toBeUndefined();
    expect(calls).toEqual([
      "whoami /user /fo csv /nh",
      `icacls ${file} /inheritance:r /grant:r *${OWN}:F *S-1-5-18:F *S-1-5-32-544:F`,
    ]);
  });

  it("that is new is left to its mode on Unix", () => {
    const { lists, calls } = windows({});
    expect(closeNewFile(file, "linux", lists)).toBeUndefined();
    expect(calls).toEqual([]);
    expect(closeNewFile(file, "windows", windows({}, "").lists)).toBe("whoami tells no SID");
  });

  it.each([
    ["any", "stays as it is where its folder lets nobody else in", { "gateway-token": RECORDED.service }, ""],
    ["change", "stays as it is where others may only read it", { "gateway-token": "D:(A;;FR;;;BU)" }, ""],
    ["any", "is closed where others may read it", { "gateway-token": "D:(A;;FR;;;BU)" }, " /remove:g *S-1-5-32-545"],
    [
      "any",
      "keeps the service in its list",
      { "gateway-token": "D:(A;;FR;;;BU)(A;;FR;;;S-1-5-80-1)" },
      " *S-1-5-80-1:F /remove:g *S-1-5-32-545",
    ],
    ["any", "is closed where icacls tells nothing of it", {}, "\0"],
  ] as const)("that is new and for a service, right %s: %s", (right, _, saves, more) => {
    const { lists, calls } = windows(saves);
    expect(closeNewTo(right, file, "file", "windows", lists)).toBeUndefined();
    const closing = calls.filter((call) => call.includes("/inheritance:r"));
    const command = `icacls ${file} /inheritance:r /grant:r *${OWN}:F *S-1-5-18:F *S-1-5-32-544:F`;
    expect(closing).toEqual(more === "" ? [] : [`${command}${more.replace("\0", "")}`]);
  });

  it("is untold, with the reason, where icacls is missing, says nothing, or says what nobody understands", () => {
    const missing = accessListsBy(() => {
      throw new Error("spawn icacls.exe ENOENT");
    });
    expect(missing.read(file)).toEqual({ is: "untold", why: "spawn icacls.exe ENOENT" });
    expect(windows({}).lists.read(file)).toEqual({ is: "untold", why: "icacls told no access list" });
    expect(windows({ "gateway-token": "D:(?" }).lists.read(file)).toEqual({
      is: "untold",
      why: "icacls told no access list",
    });
  });
});

describe("a file of Windows that is not there yet", () => {
  const folder = (at: string, sddl: string): ListedPath => ({
    path: at,
    kind: at.endsWith(":\\") ? "root" : "folder",
    list: list(sddl),
  });
  const root = folder("C:\\", RECORDED.root);
  const problem = (file: string, ...above: readonly ListedPath[]) =>
    tamperProblem(chainOfNew({ own: OWN, paths: above }, file, 0), 0);

  it.each([
    ["C:\\ProgramData\\posbridge\\posbridge.yaml", [folder("C:\\ProgramData", RECORDED.programData), root]],
    ["D:\\posbridge.yaml", [folder("D:\\", RECORDED.secondDrive)]],
    ["C:\\posbridge.yaml", [root]],
  ])("may become %s: in the folder that is there others make files, and replace none", (file, above) => {
    expect(problem(file, ...above)).toBeUndefined();
  });

  it.each([
    ["C:\\till", RECORDED.belowRoot, "Authenticated Users (S-1-5-11)"],
    ["D:\\", RECORDED.everyone, "Everyone (S-1-1-0)"],
    ["C:\\ProgramData\\posbridge-other", RECORDED.everyone, "Everyone (S-1-1-0)"],
  ])("may not below %s, and no command shuts others out of that", (at, sddl, who) => {
    expect(problem(`${at}\\posbridge.yaml`, folder(at, sddl))).toBe(
      `lies below ${at}, where ${who} may replace it; move it to a folder that administrators alone may change`,
    );
  });

  it("is told the command for the bridge's own folder", () => {
    const own = "C:\\ProgramData\\posbridge";
    expect(problem(`${own}\\posbridge.yaml`, folder(own, RECORDED.everyone))).toMatch(
      /, or run: icacls "C:\\ProgramData\\posbridge" \/inheritance:r /,
    );
  });

  it("is a service's program that others may change: it is to be moved, because its account could not run a closed one", () => {
    const file: ListedPath = { path: "C:\\posbridge\\posbridge.exe", kind: "file", list: list(RECORDED.fileBelowRoot) };
    const chain = { own: OWN, paths: [file, folder("C:\\posbridge", RECORDED.belowRoot), root] };
    expect(tamperProblem(chain, 0, "install")).toBe(
      "may be changed by Authenticated Users (S-1-5-11); move it below C:\\Program Files",
    );
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
