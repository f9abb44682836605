import path from "node:path";

/** The default name of the file. */
const CONFIGURATION_NAME = "posbridge.yaml";

/** Places of an unnamed configuration, in this order: the system's folder, then the working folder. */
export function defaultPlaces(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const system =
    platform === "win32"
      ? path.win32.join(env["ProgramData"] ?? "C:\\ProgramData", "posbridge", CONFIGURATION_NAME)
      : `/etc/posbridge/${CONFIGURATION_NAME}`;
  return [system, `./${CONFIGURATION_NAME}`];
}
