import path from "node:path";

/** The file's usual name, wherever it lies. */
const CONFIGURATION_NAME = "posbridge.yaml";

/** Where a configuration is looked for when none is named, in this order: the system's place, then the working folder. */
export function defaultPlaces(platform: NodeJS.Platform, env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const system =
    platform === "win32" ? path.win32.join(env["ProgramData"] ?? "C:\\ProgramData", "posbridge", CONFIGURATION_NAME) : `/etc/posbridge/${CONFIGURATION_NAME}`;
  return [system, `./${CONFIGURATION_NAME}`];
}
