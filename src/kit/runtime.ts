/**
 * Tested majors of Node. 24 is the long-term support line. On 26, serialport 13 opens a port but never delivers a byte,
 * so a terminal would look dead. Support of 22 ends too early.
 */
const SUPPORTED_MAJORS: readonly number[] = [24];

/**
 * Tells why this Node cannot run the bridge, with the fix; undefined if it can. `version` as in process.versions.node.
 */
export function runtimeProblem(version: string): string | undefined {
  const major = Number.parseInt(version, 10);
  if (SUPPORTED_MAJORS.includes(major)) return undefined;
  return `Node ${version} is not supported, only ${SUPPORTED_MAJORS.join(", ")}; use node_modules/.bin/node, which npm ci installs, or the packaged binary`;
}
