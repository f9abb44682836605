import { systemd, systemdUnit } from "../src/service/systemd.ts";
import { udevRules } from "../src/service/udev-rules.ts";

/*
 * The Debian package as data: its files, and the scripts that dpkg runs. packaging/deb.ts writes them down and calls
 * dpkg-deb.
 */

const USER = "posbridge";
const PROGRAM = "/usr/bin/posbridge";
const { config: CONFIG, dataDir: DATA } = systemd;
/** Files of a service that the program itself had installed (posbridge service install). */
const OWN_FILES = systemd
  .plan({ program: PROGRAM, config: CONFIG, user: USER, dataDir: DATA })
  .files.map(({ path }) => path);

export interface DebianPackage {
  /** Debian's word for the machine. */
  readonly architecture: "amd64" | "arm64";
  readonly version: string;
  readonly license: string;
  readonly changelog: Uint8Array;
  /** README, changes and the pages below docs, by their names in the source tree, so that their links hold. */
  readonly documents: Readonly<Record<string, string>>;
  readonly example: string;
  /** Policies for browsers by their file names. */
  readonly browserPolicies: Readonly<Record<string, string>>;
  readonly schema: string;
  readonly sbom: string;
  /** All files together, the program among them, in KiB. */
  readonly installedKib: number;
}

export interface DebianFile {
  /** Absolute, as it will be on the machine. */
  readonly path: string;
  readonly mode: 0o644 | 0o755;
  readonly content: string | Uint8Array;
}

/**
 * Everything but the program. There is no conffile: a configuration names a gateway, a token and terminals, and nobody
 * can guess them.
 */
export function debianFiles({
  license,
  changelog,
  documents,
  example,
  browserPolicies,
  schema,
  sbom,
}: DebianPackage): readonly DebianFile[] {
  const doc = (name: string, content: string | Uint8Array): DebianFile => ({
    path: `/usr/share/doc/posbridge/${name}`,
    mode: 0o644,
    content,
  });
  return [
    {
      path: "/usr/lib/systemd/system/posbridge.service",
      mode: 0o644,
      content: systemdUnit({ program: PROGRAM, config: CONFIG, user: USER, dataDir: DATA }),
    },
    { path: "/usr/lib/udev/rules.d/60-posbridge.rules", mode: 0o644, content: udevRules },
    doc("copyright", copyright(license)),
    doc("changelog.gz", changelog),
    doc("posbridge.example.yaml", example.replace(/^dataDir: \S+/m, `dataDir: ${DATA}`)),
    doc("posbridge.schema.json", schema),
    doc("posbridge.cdx.json", sbom),
    ...Object.entries(documents).map(([name, text]) => doc(name, text)),
    ...Object.entries(browserPolicies).map(([name, text]) => doc(`browser-policies/${name}`, text)),
  ];
}

function copyright(license: string): string {
  return `posbridge is licensed under the Apache License 2.0, which follows. The program holds Node and other packages under licenses of their own:
"posbridge licenses" lists them, "posbridge licenses NAME" prints the text of one.

${license}`;
}

/** Libraries: those of Node's binary; its newest symbol is GLIBC_2.28. */
export function controlFile({ architecture, version, installedKib }: DebianPackage): string {
  return `Package: posbridge
Version: ${debianVersion(version)}
Architecture: ${architecture}
Maintainer: posbridge maintainers <maintainers@posbridge.invalid>
Section: misc
Priority: optional
Depends: libc6 (>= 2.28), libstdc++6, libgcc-s1, passwd
Recommends: udev
Installed-Size: ${installedKib}
Description: bridge between cash registers, card terminals and a payment gateway
 A daemon that registers talk to over WebSocket, that drives card terminals over
 serial line, USB and TCP, asks the gateway, and journals every step.
 .
 The package brings the program as one file, a systemd unit and udev rules.
`;
}

/** 1.0.0-rc.1 comes before 1.0.0: Debian's sign for that is the tilde (deb-version(7)). */
export function debianVersion(version: string): string {
  return version.replace("-", "~");
}

const SYSTEMD = "[ -d /run/systemd/system ]";
/** udev is told only where it runs. */
const UDEV = `if [ -S /run/udev/control ]; then
  udevadm control --reload || true
fi`;

/** Run by dpkg as root. An upgrade restarts a bridge that runs, once, after the new program is in place. */
export const maintainerScripts: Readonly<Record<"postinst" | "prerm" | "postrm", string>> = {
  postinst: `#!/bin/sh
set -e
[ "$1" = configure ] || exit 0
if ! getent passwd ${USER} >/dev/null; then
  useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin ${USER}
fi
if getent group dialout >/dev/null; then
  usermod --append --groups dialout ${USER}
fi
# A data folder that is there already keeps its owner and mode: the bridge itself checks them.
[ -e ${DATA} ] || install -d -m 0700 -o ${USER} -g ${USER} ${DATA}
${UDEV}
if ${SYSTEMD}; then
  systemctl daemon-reload
  [ -z "$2" ] || systemctl try-restart posbridge.service
fi
for own in ${OWN_FILES.join(" ")}; do
  [ ! -e $own ] || echo "posbridge: warning: $own counts instead of the package's file; to take the package's: sudo posbridge service remove" >&2
done
if [ ! -e ${CONFIG} ]; then
  echo "posbridge: next, posbridge setup writes ${CONFIG}; then systemctl enable --now posbridge starts the bridge"
fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] && ${SYSTEMD}; then
  systemctl disable --now posbridge.service
fi
`,
  postrm: `#!/bin/sh
set -e
if ${SYSTEMD}; then
  systemctl daemon-reload
fi
${UDEV}
[ "$1" = purge ] || exit 0
# Neither folder goes while anything is in it, and the user stays as long as the data folder is its own.
rmdir /etc/posbridge 2>/dev/null || true
rmdir ${DATA} 2>/dev/null || true
if [ -e ${DATA} ]; then
  echo "posbridge: kept ${DATA} and the user ${USER}, who owns it: payments in its journal may be open, and receipts and refunds need it."
  echo "posbridge: where nobody needs it any more: rm -r ${DATA} && userdel ${USER}"
elif getent passwd ${USER} >/dev/null; then
  userdel ${USER}
fi
if [ -e /etc/posbridge ]; then
  echo "posbridge: kept /etc/posbridge: its configuration and tokens were written by hand; where nobody needs them: rm -r /etc/posbridge"
  echo "posbridge: the token file in it belongs to a number once the user ${USER} is gone, and another user may get that number: remove it then (rm /etc/posbridge/gateway-token)"
fi
`,
};
