import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import manifest from "../../package.json" with { type: "json" };

/*
 * npm run test:debian: the Debian package is installed, upgraded, downgraded, removed and purged, with a bridge that
 * sells in between (life.ts). All of it happens in a
 * copy of this machine that is gone afterwards: an overlay in memory, seen by this process's children alone. Needs root
 * on a Debian.
 */

/** Below /mnt, where nothing else is mounted: the copy's upper layer, and the copy. */
const COPY = [
  "mount -t tmpfs tmpfs /mnt",
  "mkdir /mnt/upper /mnt/work /mnt/machine",
  "mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/machine",
  "mount -t proc proc /mnt/machine/proc",
  "mount --rbind /dev /mnt/machine/dev",
  'exec chroot /mnt/machine /usr/bin/env -C "$PWD" "$@"',
].join("; ");

const architecture = process.arch === "x64" ? "amd64" : process.arch;
const debs = `dist/posbridge_${manifest.version}_${architecture}.deb`;
const demo = `dist/posbridge-demo-linux-${process.arch}`;

const problem = problemOf();
if (problem === undefined) {
  const life = [process.execPath, "test/debian/life.ts", resolve(debs), resolve(demo)];
  const { status } = spawnSync("unshare", ["--mount", "--propagation", "private", "sh", "-ec", COPY, "sh", ...life], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  process.exitCode = status ?? 1;
} else {
  process.stdout.write(`debian: ${problem}\n`);
  process.exitCode = 1;
}

function problemOf(): string | undefined {
  if (process.getuid?.() !== 0) return "must be run by root, who alone can mount and install: sudo npm run test:debian";
  if (!existsSync("/etc/debian_version")) return "this machine is no Debian: it cannot install the package";
  if (readFileSync("/etc/passwd", "utf8").includes("\nposbridge:"))
    return "a user posbridge is there already: posbridge is installed on this machine";
  const missing = [debs, demo].filter((file) => !existsSync(file));
  return missing.length === 0
    ? undefined
    : `${missing.join(" and ")} missing; make it: npm run package -- --deb, npm run package -- --demo`;
}
