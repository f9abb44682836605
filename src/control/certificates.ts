import type { z } from "zod";
import { ControlFailed } from "./address.ts";
import type { CertificateListing, certificatesCreate } from "./certificate-methods.ts";
import type { ControlHandlers, ControlReply } from "./methods.ts";

type Wanted = Omit<z.output<(typeof certificatesCreate)["params"]>, "by">;

/** The certificates as the control method uses them. */
export interface CertificateMaker {
  create(request: Wanted): ControlReply<{
    readonly authority: CertificateListing;
    readonly bridge: CertificateListing;
    readonly keyFile: string;
    readonly isNewAuthority: boolean;
  }>;
}

export type CertificateHandlers = Pick<ControlHandlers, "certificates.create">;

/**
 * Handlers for certificates, the same in the daemon and in a command without a daemon. `made` puts the new certificate
 * into use and tells whether the bridge serves it.
 */
export function certificateHandlers(
  maker: () => Promise<CertificateMaker>,
  made: (by: string) => Promise<boolean>,
): CertificateHandlers {
  return {
    "certificates.create": async ({ by, ...request }) => {
      const book = await maker();
      const created = inFolder(() => book.create(request));
      return created.ok ? { ok: true, value: { ...created.value, isServed: await made(by) } } : created;
    },
  };
}

function inFolder<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    const isOfDisk = cause instanceof Error && "code" in cause;
    throw isOfDisk
      ? new ControlFailed(`the certificates cannot be written: ${cause.message}; make room, or correct the folder`, {
          cause,
        })
      : cause;
  }
}
