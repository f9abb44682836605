import { describe, expect, it } from "vitest";
import { platformOf, settingsProblem } from "../../../src/service/platforms.ts";
import { printedPlan } from "../../../src/service/printed.ts";
import { systemd, systemdUnit } from "../../../src/service/systemd.ts";

const usual = {
  program: "/usr/local/bin/posbridge",
  config: "/etc/posbridge/posbridge.yaml",
  user: "posbridge",
  dataDir: "/var/lib/posbridge",
};

function settings(unit: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [, name = "", value = ""] of unit.matchAll(/^([A-Za-z]+)=(.*)$/gm))
    found.set(name, [...(found.get(name) ?? []), value]);
  return found;
}

describe("the unit", () => {
  const unit = settings(systemdUnit(usual));

  it("runs the program by its user, and is never given up", () => {
    expect(unit.get("ExecStart")).toEqual([
      "/usr/local/bin/posbridge run --config /etc/posbridge/posbridge.yaml --setup-page",
    ]);
    expect([unit.get("User"), unit.get("Restart"), unit.get("StartLimitIntervalSec")]).toEqual([
      ["posbridge"],
      ["always"],
      ["0"],
    ]);
  });

  it("leaves it the devices by number, because names match nothing before the first one was plugged in", () => {
    expect(unit.get("DeviceAllow")).toEqual(
      expect.arrayContaining(["char-4 rw", "char-166 rw", "char-188 rw", "char-189 rw"]),
    );
    expect(unit.get("DeviceAllow")?.every((value) => /^char-[0-9]+ rw$/.test(value))).toBe(true);
    expect([unit.get("SupplementaryGroups"), unit.get("PrivateDevices"), unit.get("PrivateUsers")]).toEqual([
      ["dialout"],
      undefined,
      undefined,
    ]);
  });

  it("leaves V8 its memory", () => expect(unit.get("MemoryDenyWriteExecute")).toBeUndefined());

  it("leaves no core dump, in which tokens and card data would stand", () =>
    expect(unit.get("LimitCORE")).toEqual(["0"]));

  it("lets the data folder be written, wherever it is", () => {
    expect([unit.get("StateDirectory"), unit.get("ReadWritePaths")]).toEqual([["posbridge"], undefined]);
    const elsewhere = settings(systemdUnit({ ...usual, dataDir: "/srv/shop data/100%" }));
    expect([elsewhere.get("StateDirectory"), elsewhere.get("ReadWritePaths")]).toEqual([
      undefined,
      ['"/srv/shop data/100%%"'],
    ]);
  });

  it("quotes what is no plain word", () => {
    const { ExecStart } = Object.fromEntries(
      settings(systemdUnit({ ...usual, config: '/etc/my "shop" $HOME/50%.yaml' })),
    );
    expect(ExecStart).toEqual([
      '/usr/local/bin/posbridge run --config "/etc/my \\"shop\\" $$HOME/50%%.yaml" --setup-page',
    ]);
  });
});

it("refuses a user and paths that would be more than one line, or options", () => {
  expect(settingsProblem(usual)).toBeUndefined();
  expect(settingsProblem({ ...usual, user: "root\nExecStart=/bin/sh" })).toMatch(
    /^--user .* is no name of a system user/,
  );
  expect(settingsProblem({ ...usual, user: "-x" })).toMatch(/^--user /);
  expect(settingsProblem({ ...usual, config: "/etc/a\nUser=root" })).toMatch(/^--config .* has control characters/);
});

it("knows the manager of each system", () => {
  expect(["linux", "darwin", "aix"].map((system) => platformOf(system)?.manager)).toEqual([
    "systemd",
    "launchd",
    undefined,
  ]);
});

it("prints every file in full, and the commands besides", () => {
  const lines = printedPlan(systemd.plan(usual));
  expect(lines[0]).toBe("# /etc/systemd/system/posbridge.service (owner root, mode 0644)");
  expect(lines).toContain("# /etc/udev/rules.d/60-posbridge.rules (owner root, mode 0644)");
  expect(lines).toContain("#   useradd --system --user-group --no-create-home posbridge -G dialout");
  expect(lines).toContain("#   install -d -o posbridge -g posbridge -m 0700 /var/lib/posbridge");
  expect(lines.at(-1)).toBe("#   systemctl enable --now posbridge.service");
});

describe("what systemctl show says", () => {
  const shown = (...lines: readonly string[]) => systemd.state(`${lines.join("\n")}\n`);

  it("of a service that runs", () => {
    const since = "Mon 2026-11-23 10:00:00 UTC";
    const lines = [
      "LoadState=loaded",
      "UnitFileState=enabled",
      "ActiveState=active",
      "SubState=running",
      `ActiveEnterTimestamp=${since}`,
    ];
    expect(shown(...lines, "Result=success", "ExecMainStatus=0", "NRestarts=0")).toEqual({
      ...{ installed: true, enabled: true, running: true, state: "active (running)", since },
    });
  });

  it("of one that ends again and again", () => {
    const lines = [
      "LoadState=loaded",
      "UnitFileState=enabled",
      "ActiveState=activating",
      "SubState=auto-restart",
      "ActiveEnterTimestamp=",
    ];
    expect(shown(...lines, "Result=exit-code", "ExecMainStatus=2", "NRestarts=7")).toEqual({
      ...{ installed: true, enabled: true, running: false, state: "activating (auto-restart)" },
      failure: "exit-code (2), started anew 7 times",
    });
  });

  it("of none", () => {
    const lines = [
      "LoadState=not-found",
      "UnitFileState=",
      "ActiveState=inactive",
      "SubState=dead",
      "ActiveEnterTimestamp=",
      "Result=success",
    ];
    expect(shown(...lines)).toEqual({ installed: false, enabled: false, running: false, state: "inactive (dead)" });
  });
});
