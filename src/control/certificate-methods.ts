import { z } from "zod";
import { asking, method } from "./method.ts";

const certificateEntry = z.strictObject({
  is: z.enum(["authority", "bridge"]),
  subject: z.string(),
  names: z.array(z.string()).readonly(),
  validFrom: z.string(),
  validTo: z.string(),
  fingerprint: z.string(),
  thumbprint: z.string(),
  file: z.string(),
});
export type CertificateListing = z.infer<typeof certificateEntry>;

/** Makes the authority of this machine, unless there is one, and the bridge's certificate by it. */
export const certificatesCreate = method(
  "certificates.create",
  z.strictObject({
    hosts: z.array(z.string()).readonly(),
    networks: z.array(z.string()).readonly(),
    replace: z.boolean(),
    ...asking,
  }),
  z.strictObject({
    authority: certificateEntry,
    bridge: certificateEntry,
    keyFile: z.string(),
    isNewAuthority: z.boolean(),
    /** The running bridge serves the new certificate already. */
    isServed: z.boolean(),
  }),
);
