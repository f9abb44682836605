import type { z } from "zod";
import type { certificatesCreate } from "../control/certificate-methods.ts";

export type MadeCertificates = z.output<(typeof certificatesCreate)["result"]>;

interface Told {
  /** The configuration names the certificate already. */
  readonly isNamed: boolean;
  readonly hosts: readonly string[];
}

/** The name under which the authority's certificate goes to other machines. */
const COPY = "posbridge-authority.crt";

/** The result of `certificates create` for a technician: where it lies, and how other tills trust it. */
export function certificateLines(made: MadeCertificates, told: Told): readonly string[] {
  const { authority, bridge, isNewAuthority } = made;
  return [
    `${isNewAuthority ? "Made" : "Kept"} the authority of this machine: ${authority.subject}`,
    `  certificate  ${authority.file}`,
    `  SHA-256      ${authority.fingerprint}`,
    `  thumbprint   ${authority.thumbprint} (SHA-1, as Windows shows it)`,
    `  valid until  ${dayOf(authority.validTo)}`,
    `  certifies    ${authority.names.join(", ")}; nothing else`,
    "Made the bridge's certificate by it; a running bridge renews it by itself:",
    `  certificate  ${bridge.file}`,
    `  valid until  ${dayOf(bridge.validTo)}`,
    `  names        ${bridge.names.join(", ")}`,
    "",
    ...configurationLines(made, told),
    ...(isNewAuthority ? TILL_LINES : ["The other tills trust this authority already."]),
  ];
}

function configurationLines({ bridge, keyFile, isServed }: MadeCertificates, { isNamed }: Told): readonly string[] {
  if (isServed) return ["The running bridge serves it already."];
  if (isNamed) return ["The configuration names it: start the bridge, or let it reload (posbridge reload)."];
  return [
    "The configuration needs these lines, and the bridge a new start:",
    "  listen:",
    "    host: 0.0.0.0",
    `    names: [${bridge.names.map((name) => (name.includes(":") ? `"${name}"` : name)).join(", ")}]`,
    "    tls:",
    `      cert: ${JSON.stringify(bridge.file)}`,
    `      key: ${JSON.stringify(keyFile)}`,
    "",
  ];
}

/** How each system trusts an authority. */
const TILL_LINES: readonly string[] = [
  `Each other till has to trust the authority. Write the file: posbridge certificates print > ${COPY}`,
  "Carry it there, and compare its fingerprint before the till trusts it. The key (authority.pem) stays here.",
  `Fingerprint, on Linux:                           openssl x509 -noout -fingerprint -sha256 -in ${COPY}`,
  `Fingerprint, on Windows:                         certutil -dump ${COPY}`,
  `Windows (Chrome, Edge, .NET), as administrator:  certutil -addstore -f Root ${COPY}`,
  `Debian, Ubuntu (Python, PHP, curl, .NET, Java):  sudo cp ${COPY} /usr/local/share/ca-certificates/ && sudo update-ca-certificates`,
  `Chrome, Chromium on Linux (libnss3-tools):       certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n posbridge -i ${COPY}`,
  `Firefox, in policies.json:                       {"policies":{"Certificates":{"Install":["/etc/firefox/${COPY}"]}}}`,
  `Node:                                            NODE_EXTRA_CA_CERTS=${COPY}`,
  "More: docs/browsers.md",
];

function dayOf(time: string): string {
  return time.slice(0, 10);
}
