import { z } from "zod";
import { Secret } from "../kit/secret.ts";
import type { TlsIdentity } from "./configuration.ts";
import { belongTogether, certificateProblem, privateKeyProblem } from "./pem.ts";
import type { Finding } from "./problem.ts";
import type { Resolve } from "./rule.ts";
import { fileFindings } from "./rules.ts";
import type { Surroundings } from "./surroundings.ts";

/** Contents of the configured certificate and key files, with their problems. */
export interface TlsFiles {
  readonly listen?: TlsIdentity;
  readonly webhooks?: TlsIdentity;
  readonly clientCertificate?: TlsIdentity;
  readonly ca?: string;
  readonly findings: readonly Finding[];
}

interface Read<T> {
  readonly value?: T;
  readonly findings: readonly Finding[];
}

/** Silent if a value has a wrong type, which the schema reports. */
export function readTlsFiles(raw: unknown, around: Surroundings, resolve: Resolve): TlsFiles {
  const identity = (path: readonly string[], cert: string, key: string): Read<TlsIdentity> => {
    const files = { cert: textAt(raw, [...path, cert]), key: textAt(raw, [...path, key]) };
    if (files.cert === undefined || files.key === undefined) return { findings: [] };
    const certificate = read([...path, cert], resolve(files.cert), around, "public", certificateProblem);
    const secret = read([...path, key], resolve(files.key), around, "private", privateKeyProblem);
    const findings = [...certificate.findings, ...secret.findings];
    if (certificate.value === undefined || secret.value === undefined) return { findings };
    if (!belongTogether(certificate.value, secret.value))
      return {
        findings: [
          {
            path: [...path, key],
            message: `names ${resolve(files.key)}, which is not the key of the certificate beside it; name the one that is`,
          },
        ],
      };
    return { value: { cert: certificate.value, key: new Secret(secret.value) }, findings };
  };
  const listen = identity(["listen", "tls"], "cert", "key");
  const webhooks = identity(["webhooks", "listen", "tls"], "cert", "key");
  const client = identity(["gateway", "clientCertificate"], "certFile", "keyFile");
  const caFile = textAt(raw, ["gateway", "caFile"]);
  const ca: Read<string> =
    caFile === undefined
      ? { findings: [] }
      : read(["gateway", "caFile"], resolve(caFile), around, "public", certificateProblem);
  return {
    ...(listen.value && { listen: listen.value }),
    ...(webhooks.value && { webhooks: webhooks.value }),
    ...(client.value && { clientCertificate: client.value }),
    ...(ca.value !== undefined && { ca: ca.value }),
    findings: [...listen.findings, ...webhooks.findings, ...client.findings, ...ca.findings],
  };
}

function read(
  path: readonly string[],
  file: string,
  around: Surroundings,
  kind: "public" | "private",
  problemOf: (text: string) => string | undefined,
): Read<string> {
  const findings = fileFindings(path, file, around, kind);
  const look = around.look(file);
  if (findings.length > 0 || look.is !== "file") return { findings };
  const problem = problemOf(look.text);
  return problem === undefined
    ? { value: look.text, findings: [] }
    : { findings: [{ path, message: `names ${file}, which ${problem}` }] };
}

const mapping = z.record(z.string(), z.unknown());

function textAt(raw: unknown, path: readonly string[]): string | undefined {
  const found = path.reduce<unknown>((value, key) => mapping.safeParse(value).data?.[key], raw);
  return typeof found === "string" && found !== "" ? found : undefined;
}
