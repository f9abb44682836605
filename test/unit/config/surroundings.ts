import type { Look, Surroundings } from "../../../src/config/surroundings.ts";
import type { PathAccess } from "../../../src/kit/path-access.ts";

/** The user who runs the check. */
export const USER = 999;

/** A file that holds this text, of this mode, owned by that user, in a folder of root's. */
export function fileOf(text: string, mode = 0o600, uid = USER, folder: Partial<PathAccess> = {}): Look {
  const root = { uid: 0, mode: 0o755 };
  return {
    is: "file",
    text,
    access: [
      { path: "/etc/posbridge/file", uid, mode },
      { path: "/etc/posbridge", ...root, ...folder },
      { path: "/", ...root },
    ],
  };
}

/** A world for the check: two models, one token file, whatever else a test says. */
export function surroundings(
  change: { files?: Record<string, Look>; env?: Record<string, string>; links?: Record<string, string> } = {},
): Surroundings {
  const files: Record<string, Look> = { "/etc/posbridge/gateway-token": fileOf("the-token\n"), ...change.files };
  const links = change.links ?? {};
  return {
    models: [
      {
        id: "miura-m020",
        lines: [{ kind: "serial" }, { kind: "tcp" }, { kind: "usb" }, { kind: "websocket" }],
        optionsProblem: (given) =>
          Object.hasOwn(given, "sound") ? "has no option sound; it has none at all: remove it" : undefined,
      },
      { id: "pax-d135", lines: [{ kind: "serial" }, { kind: "tcp" }], optionsProblem: () => undefined },
    ],
    env: change.env ?? {},
    user: USER,
    look: (path) => files[path] ?? { is: "absent" },
    followed: (path) => links[path] ?? path,
  };
}

/** The smallest configuration that passes, one key a line, so that a test can replace a line. */
export const SMALLEST = `environment: test
merchant:
  name: Corner Shop
  country: DE
gateway:
  baseUrl: http://127.0.0.1:7718/
  entityId: 8a8294174b7ecb28014b9699220015ca
  accessTokenFile: ./gateway-token
terminals:
  - id: till-1
    model: miura-m020
    connection: { serial: /dev/ttyACM0 }
    terminalId: "12345678"
`;

/** The smallest live configuration that passes. */
export const LIVE = SMALLEST.replace("environment: test", "environment: live").replace(
  "http://127.0.0.1:7718/",
  "https://gateway.example/",
);
