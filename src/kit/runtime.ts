/**
 * Majors of Node this version was tried on. 24 is the long-term support line. On 26, serialport 13 opens a port, writes to it and never delivers a byte, so a terminal
 * would look dead; 22 reaches its end of life before this version does.
 */
const SUPPORTED_MAJORS: readonly number[] = [24];

/** Why this runtime cannot run the bridge, in one line with the mend, or undefined where it can. `version` as in process.versions.node. */
export function runtimeProblem(version: string): string | undefined {
  const major = Number.parseInt(version, 10);
  if (SUPPORTED_MAJORS.includes(major)) return undefined;
  return `Node ${version} is not supported, only ${SUPPORTED_MAJORS.join(", ")}; use node_modules/.bin/node, which npm ci installs, or the packaged binary`;
}
