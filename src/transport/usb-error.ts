import type { Platform } from "../kit/platform.ts";
import { systemPlatform } from "../kit/system-platform.ts";
import { LinkError, type LinkErrorCode } from "../terminal/link.ts";

/** The udev rules that give the bridge access to its devices (config/udev). */
export const UDEV_RULES = "60-posbridge.rules";

/** On Windows, programs reach a USB device only through this driver. */
const GIVE_WINUSB =
  "give it the driver WinUSB (Zadig, or the maker's own file for it) and plug it in anew, or connect it by a COM port or the network";

/** One line and a code. Like serialport, the `usb` package has only the system's words, no codes. */
export function usbError(place: string, error: unknown, node?: string, platform: Platform = systemPlatform): LinkError {
  const said = error instanceof Error ? error.message : String(error);
  const link = (code: LinkErrorCode, text: string): LinkError => new LinkError(code, text, { cause: error });
  if (platform === "windows") {
    if (/driver|winusb/i.test(said))
      return link("no-permission", `${place} is held by another driver of Windows (${said}); ${GIVE_WINUSB}`);
    if (/permission|access denied|failed to open device|already claimed/i.test(said)) return claimError(place, error);
  }
  if (/permission denied|operation not permitted|access denied|os error 13\b|errno 13\b/i.test(said)) {
    const where = node === undefined ? "" : ` (${node})`;
    return link(
      "no-permission",
      `no permission for ${place}${where}; install config/udev/${UDEV_RULES}, add this user to the group dialout, log in again and plug the device in anew`,
    );
  }
  if (/busy|errno 16\b|os error 16\b/i.test(said)) return claimError(place, error);
  if (/no such device|not found|disconnected|no such file|errno (2|19)\b|os error (2|19)\b/i.test(said))
    return unplugged(place, error);
  return link("failed", `${place}: ${said}`);
}

export function claimError(place: string, cause?: unknown): LinkError {
  return new LinkError("busy", `${place} is used by another program; stop it, or give this terminal another device`, {
    cause,
  });
}

export function unplugged(place: string, cause?: unknown): LinkError {
  return new LinkError("lost", `${place} was unplugged or switched off`, { cause });
}
