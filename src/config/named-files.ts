import { dirname } from "node:path";
import { z } from "zod";
import { relativeTo } from "./rule.ts";
import { readYaml } from "./yaml-source.ts";

/** A file named in the configuration that the bridge must read. */
export interface NamedFile {
  readonly key: string;
  readonly path: string;
  /** Private: only the bridge's user may read it. */
  readonly kind: "public" | "private";
}

/** Every key that names a file; a test compares them with the schema. */
export const FILE_KEYS: Readonly<Record<string, NamedFile["kind"]>> = {
  "listen.tls.cert": "public",
  "listen.tls.key": "private",
  "gateway.accessTokenFile": "private",
  "gateway.caFile": "public",
  "gateway.clientCertificate.certFile": "public",
  "gateway.clientCertificate.keyFile": "private",
  "webhooks.listen.tls.cert": "public",
  "webhooks.listen.tls.key": "private",
  "webhooks.keyFile": "private",
  "telemetry.headersFile": "private",
};

const mapping = z.record(z.string(), z.unknown());

/** The files named in a configuration, if it can be parsed; nothing else is checked. */
export function parseNamedFiles(text: string, file: string): readonly NamedFile[] {
  const yaml = readYaml(text);
  if (!yaml.ok) return [];
  const resolve = relativeTo(dirname(file));
  return Object.entries(FILE_KEYS).flatMap(([key, kind]) => {
    const named = key
      .split(".")
      .reduce<unknown>((value, part) => mapping.safeParse(value).data?.[part], yaml.source.value);
    return typeof named === "string" && named !== "" ? [{ key, path: resolve(named), kind }] : [];
  });
}
