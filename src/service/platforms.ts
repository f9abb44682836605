import { launchd } from "./launchd.ts";
import type { ServiceManager, ServicePlatform } from "./plan.ts";
import { systemd } from "./systemd.ts";
import { windows } from "./windows.ts";

/** Every known service manager, by its name. */
export const servicePlatforms: Readonly<Record<ServiceManager, ServicePlatform>> = { systemd, launchd, windows };

/** The service manager of an operating system (Node's `process.platform`); undefined: none is known. */
export function platformOf(system: string): ServicePlatform | undefined {
  switch (system) {
    case "linux":
      return systemd;
    case "darwin":
      return launchd;
    case "win32":
      return windows;
    default:
      return undefined;
  }
}

/** The hidden folder that contains a path; undefined: the service sees the path. */
export function hiddenFolder({ hidden }: Pick<ServicePlatform, "hidden">, path: string): string | undefined {
  return hidden.find((folder) => path === folder || path.startsWith(`${folder}/`));
}

/**
 * Why a service cannot have these settings; undefined: it can. They become part of files in which every line has a
 * meaning.
 */
export function settingsProblem({
  user,
  ...paths
}: {
  readonly user: string;
  readonly program: string;
  readonly config: string;
}): string | undefined {
  if (!/^[a-z_][a-z0-9_-]{0,30}$/.test(user))
    return `--user ${JSON.stringify(user)} is no name of a system user: small letters, digits, - and _, at most 31`;
  const bad = Object.entries(paths).find(([, path]) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(path));
  return bad && `--${bad[0]} ${JSON.stringify(bad[1])} has control characters or line breaks; use a plain path`;
}
