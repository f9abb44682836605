import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { documentNames } from "../../../packaging/deb.ts";
import {
  controlFile,
  type DebianPackage,
  debianFiles,
  debianVersion,
  maintainerScripts,
} from "../../../packaging/debian-package.ts";
import { systemd, systemdUnit } from "../../../src/service/systemd.ts";

const on: DebianPackage = {
  architecture: "amd64",
  version: "1.0.0-rc.1",
  license: "Apache License",
  changelog: new Uint8Array(),
  documents: {},
  example: "environment: test",
  browserPolicies: { "chrome-edge.json": "{}" },
  schema: "{}",
  sbom: "{}",
  installedKib: 130_000,
};

describe("the Debian package", () => {
  it("brings the unit that the program itself would install, with its own program", () => {
    const unit = debianFiles(on).find(({ path }) => systemd.packaged.includes(path));
    const { config, dataDir } = systemd;
    expect(unit?.content).toBe(systemdUnit({ program: "/usr/bin/posbridge", config, user: "posbridge", dataDir }));
  });

  it("brings an example whose data folder the unit may write to", () => {
    const example = debianFiles({ ...on, example: "environment: test\ndataDir: ./data # the journal\n" }).find(
      ({ path }) => path.endsWith(".example.yaml"),
    );
    expect(example?.content).toBe(`environment: test\ndataDir: ${systemd.dataDir} # the journal\n`);
  });

  it("brings README, changes and every page, by names at which their links hold", () => {
    const names = documentNames(".");
    expect(names).toEqual(
      expect.arrayContaining(["README.md", "CHANGELOG.md", "SECURITY.md", "docs/operating.md", "docs/service.md"]),
    );
    const brought = debianFiles({
      ...on,
      documents: Object.fromEntries(names.map((name) => [name, `text of ${name}`])),
    });
    expect(brought.find(({ path }) => path === "/usr/share/doc/posbridge/docs/operating.md")).toMatchObject({
      mode: 0o644,
      content: "text of docs/operating.md",
    });
    expect(brought.map(({ path }) => path)).toContain("/usr/share/doc/posbridge/README.md");
  });

  it("brings the policies for browsers as documents: which one counts is for the shop to say", () => {
    expect(debianFiles(on).find(({ path }) => path.includes("browser-policies"))).toEqual({
      ...{ path: "/usr/share/doc/posbridge/browser-policies/chrome-edge.json", mode: 0o644, content: "{}" },
    });
  });

  it("brings nothing below /etc: a configuration is written by hand, and no upgrade asks about it", () => {
    expect(debianFiles(on).filter(({ path }) => path.startsWith("/etc/"))).toEqual([]);
  });

  it("says which machine and which version it is for; a release candidate comes before its release", () => {
    expect(controlFile(on)).toContain("Version: 1.0.0~rc.1\nArchitecture: amd64\n");
    execFileSync("dpkg", ["--compare-versions", debianVersion("1.0.0-rc.1"), "lt", debianVersion("1.0.0")]);
  });

  it.each(Object.entries(maintainerScripts))("has a %s that the shell can read and that never asks", (_, script) => {
    execFileSync("sh", ["-n"], { input: script });
    expect(script).toMatch(/^#!\/bin\/sh\nset -e\n/);
    expect(script).not.toMatch(/^\s*read |debconf/m);
  });

  it.each(["/etc/systemd/system/posbridge.service", "/etc/udev/rules.d/60-posbridge.rules"])(
    "warns of %s, which hides its own file",
    (own) => {
      expect(maintainerScripts.postinst).toMatch(new RegExp(`^for own in .*${own}`, "m"));
      expect(maintainerScripts.postinst).toContain("to take the package's: sudo posbridge service remove");
    },
  );

  it("says at its purge that a token file of nobody's may become another user's", () => {
    expect(maintainerScripts.postrm).toContain(
      "another user may get that number: remove it then (rm /etc/posbridge/gateway-token)",
    );
  });
});
