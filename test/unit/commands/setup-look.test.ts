import { expect, it } from "vitest";
import { lookAs } from "../../../src/commands/setup-look.ts";
import { fileFindings } from "../../../src/config/rules.ts";
import type { Look } from "../../../src/config/surroundings.ts";
import type { PathAccess } from "../../../src/kit/path-access.ts";
import { surroundings } from "../config/surroundings.ts";

const SERVICE = { name: "posbridge", uid: 998, gids: [998, 20] };

/** A token file and its folder, as root sees them. */
function told(path: string, file: Partial<PathAccess>, folder: Partial<PathAccess> = {}): readonly string[] {
  const access = [
    { path, uid: 998, gid: 998, mode: 0o600, ...file },
    { path: path.slice(0, path.lastIndexOf("/")), uid: 0, gid: 0, mode: 0o755, ...folder },
    { path: "/", uid: 0, gid: 0, mode: 0o755 },
  ];
  const look: Look = { is: "file", text: "the-token", access };
  const around = { ...surroundings({ files: { [path]: look } }), user: SERVICE.uid };
  const key = ["gateway", "accessTokenFile"];
  return fileFindings(key, path, { ...around, look: lookAs(around.look, SERVICE) }, "private").map(
    ({ message }) => message,
  );
}

it("takes a token file that the service's user may read", () => {
  expect(told("/srv/token", {})).toEqual([]);
  expect(told("/srv/token", {}, { gid: 20, mode: 0o750 })).toEqual([]);
});

it.each([
  [{ uid: 0, gid: 0 }, {}, "/srv/token", "by posbridge: chown posbridge /srv/token"],
  [{ mode: 0o060 }, {}, "/srv/token", "by posbridge: chown posbridge /srv/token"],
  [{}, { mode: 0o700 }, "/srv/token", "posbridge may not enter /srv: move it"],
  [{}, {}, "/home/shop/token", "a service sees nothing below /home: move it"],
] as const)("refuses one that the service could not read, although root can: %j %j", (file, folder, path, why) => {
  expect(told(path, file, folder)).toEqual([`names ${path}, which cannot be read (${why}); change its owner or mode`]);
});

it("looks no further where nothing can be read anyway", () => {
  expect(lookAs(() => ({ is: "absent" }), SERVICE)("/srv/token")).toEqual({ is: "absent" });
});
