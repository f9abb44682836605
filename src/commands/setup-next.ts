import type { Platform } from "../kit/platform.ts";
import { commandWord } from "../kit/shell-word.ts";

interface NextOn {
  readonly file: string;
  /** The bridge's user, if another than the current one. */
  readonly user: string | undefined;
  readonly register: string;
  readonly platform: Platform;
  /** A package brought the unit, which reads this file. */
  readonly hasUnit: boolean;
  /** A service could not see this file. */
  readonly isHidden: boolean;
}

/** The commands after a setup, in order. The first one contacts the gateway. */
export function nextLines({ file, user, register, platform, hasUnit, isHidden }: NextOn): readonly string[] {
  const as = user === undefined ? "" : `sudo -u ${user} `;
  const named = commandWord(file, platform);
  const root = user === undefined && platform !== "windows" ? "sudo " : "";
  const service = isHidden
    ? `for a service, which sees nothing here: ${root}posbridge setup`
    : `${root}posbridge service install --config ${named}`;
  return [
    `  ${as}posbridge doctor --config ${named}`,
    `  ${hasUnit ? `${root}systemctl enable --now posbridge` : service}`,
    `  or: posbridge run --config ${named}`,
    `  ${as}posbridge tokens create --register ${register} --config ${named}`,
  ];
}
