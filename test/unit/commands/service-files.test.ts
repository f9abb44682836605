import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { installService } from "../../../src/commands/service-install.ts";
import { systemMachine } from "../../../src/commands/service-machine.ts";
import { FILE_KEYS, type NamedFile, parseNamedFiles } from "../../../src/config/named-files.ts";
import { RELOAD_TABLE } from "../../../src/config/reload.ts";
import { systemd } from "../../../src/service/systemd.ts";
import { freshFolder } from "../journal/folder.ts";
import { type PretendedMachine, pretendedMachine } from "./service-machine.ts";

const CONFIG = "/etc/posbridge/posbridge.yaml";
const TOKEN: NamedFile = { key: "gateway.accessTokenFile", path: "/etc/posbridge/gateway-token", kind: "private" };

/** As `setup` leaves it where no user posbridge is there yet. */
function machineAfterSetup({ config = CONFIG, token = TOKEN.path } = {}): PretendedMachine {
  const machine = pretendedMachine();
  machine.files.set("/usr/local/bin/posbridge", "program");
  machine.files.set(config, "environment: test").set(token, "the-token");
  machine.rights.set(config, { mode: 0o640 }).set(token, { mode: 0o600 });
  machine.folders.set("/var/lib/posbridge", { user: "root", empty: true });
  return machine;
}

function install(
  machine: PretendedMachine,
  {
    config = CONFIG,
    dataDir = "/var/lib/posbridge",
    files = [TOKEN],
  }: Partial<Parameters<typeof installService>[0]> = {},
) {
  const settings = { program: "/usr/local/bin/posbridge", config, user: "posbridge", dataDir };
  return installService({
    platform: systemd,
    plan: systemd.plan(settings),
    machine,
    ...settings,
    files,
    from: undefined,
    start: false,
  });
}

describe("service install after setup", () => {
  it("gives the new user the token, and the configuration to read alone", () => {
    const machine = machineAfterSetup();
    expect(install(machine).done).toEqual(
      expect.arrayContaining([
        "made the system user posbridge",
        `gave ${CONFIG} to posbridge, to read`,
        `gave ${TOKEN.path} to posbridge`,
      ]),
    );
    expect(machine.rights.get(CONFIG)).toEqual({ uid: 0, gid: 998, mode: 0o640 });
    expect(machine.rights.get(TOKEN.path)).toEqual({ uid: 998, gid: 998, mode: 0o600 });
    expect(machine.folders.get("/var/lib/posbridge")).toMatchObject({ user: "posbridge" });
    expect(install(machine).done).toEqual(["everything is in place already"]);
  });

  it("leaves alone what the service may read already", () => {
    const machine = machineAfterSetup();
    machine.rights.set(CONFIG, { mode: 0o644 }).set(TOKEN.path, { uid: 998, gid: 0, mode: 0o400 });
    machine.users.add("posbridge");
    install(machine);
    expect(machine.rights.get(TOKEN.path)).toEqual({ uid: 998, gid: 0, mode: 0o400 });
  });

  it.each(["/home/shop", "/root", "/run/user/1000", "/tmp"])(
    "refuses a configuration below %s, which the unit hides, and changes nothing",
    (folder) => {
      const config = `${folder}/posbridge.yaml`;
      const machine = machineAfterSetup({ config });
      expect(() => install(machine, { config })).toThrow(
        /^--config: .* of which a service sees nothing; move it, to \/etc\/posbridge say$/,
      );
      expect(() => install(machine, { dataDir: `${folder}/data` })).toThrow(
        /^dataDir: .*; move it, to \/var\/lib\/posbridge say$/,
      );
      expect([machine.ran, machine.rights.get(config)]).toEqual([[], { mode: 0o640 }]);
    },
  );

  it("takes no file from somebody else, and says the command", () => {
    const elsewhere = { ...TOKEN, path: "/srv/keys/gateway-token" };
    const machine = machineAfterSetup({ token: elsewhere.path });
    const run = () => install(machine, { files: [elsewhere] });
    expect(run).toThrow(
      "gateway.accessTokenFile: /srv/keys/gateway-token cannot be read by posbridge; run: chown posbridge /srv/keys/gateway-token",
    );
    machine.rights.set("/srv/keys", { mode: 0o700 });
    expect(run).toThrow(
      "gateway.accessTokenFile: /srv/keys/gateway-token lies below /srv/keys, which posbridge may not enter; move it, or run: chmod o+x /srv/keys",
    );
    machine.files.set("/etc/posbridge/ca.pem", "");
    machine.rights.set("/etc/posbridge/ca.pem", { uid: 1000, mode: 0o600 });
    expect(() =>
      install(machine, { files: [{ key: "gateway.caFile", path: "/etc/posbridge/ca.pem", kind: "public" }] }),
    ).toThrow(
      "gateway.caFile: /etc/posbridge/ca.pem cannot be read by posbridge; run: chmod o+r /etc/posbridge/ca.pem",
    );
    expect(machine.ran).toEqual([]);
  });
});

it("every key that names a file is known, and its path is relative to the configuration", () => {
  const named = RELOAD_TABLE.flatMap(({ keys }) => keys).filter((key) => /(File|\.cert|\.key)$/.test(key));
  expect(Object.keys(FILE_KEYS).toSorted()).toEqual(named.toSorted());
  expect(
    parseNamedFiles("gateway: { accessTokenFile: ./gateway-token, caFile: 7 }\nlisten: { tls: none }", CONFIG),
  ).toEqual([TOKEN]);
  expect(parseNamedFiles("gateway: [", CONFIG)).toEqual([]);
});

it("the real machine tells who may read a file, and gives it away", () => {
  const file = path.join(freshFolder(), "gateway-token");
  fs.writeFileSync(file, "the-token", { mode: 0o644 });
  const { uid, gid, username } = os.userInfo();
  expect(systemMachine.modes(`${file}.not-there`)).toBeUndefined();
  expect(systemMachine.modes(file)?.[0]).toMatchObject({ path: fs.realpathSync(file), uid, gid, mode: 0o644 });
  expect(systemMachine.reader(username)).toMatchObject({ uid, gids: expect.arrayContaining([gid]) });
  expect(systemMachine.reader("no-such-user")).toBeUndefined();
  systemMachine.give(file, { user: username, group: groupName(gid), mode: 0o600 });
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
});

function groupName(gid: number): string {
  return execFileSync("getent", ["group", String(gid)], { encoding: "utf8" }).split(":")[0] ?? "";
}
