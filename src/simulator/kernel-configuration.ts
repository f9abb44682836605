import type { KernelConfiguration } from "../../packages/sandbox/testbed/contact-kernel.ts";
import type { Capabilities } from "../card/capabilities.ts";

/** Germany. */
const COUNTRY = "0276";

/**
 * Configuration of the terminal's kernels. 9F1C and 9F1E have eight characters: the end of a longer serial number, or
 * zeros before a shorter one.
 */
export function kernelConfiguration(
  serialNumber: string,
  { interfaces, onlinePin }: Pick<Capabilities, "interfaces" | "onlinePin">,
): KernelConfiguration {
  const eight = serialNumber.slice(-8).padStart(8, "0");
  const capabilities = terminalCapabilities(interfaces, onlinePin);
  // A device with keys supports offline and online PIN.
  return { country: COUNTRY, terminalId: eight, serialNumber: eight, onlinePin, offlinePin: onlinePin, capabilities };
}

/** EMV Book 4, annex A2, byte 1: manual key entry, magnetic stripe, IC with contacts. */
const INPUT = { keyed: 0x80, stripe: 0x40, chip: 0x20, contactless: 0x00 } as const;
/** Byte 2: offline plaintext PIN, online PIN, offline enciphered PIN; signature and no CVM are always possible. */
const ANY_PIN = 0x80 | 0x40 | 0x10;
const SIGNATURE_OR_NONE = 0x28;
/** Byte 3: static, dynamic and combined data authentication. */
const AUTHENTICATION = 0xc8;

/** 9F33. */
function terminalCapabilities(interfaces: Capabilities["interfaces"], onlinePin: boolean): string {
  const input = interfaces.reduce((bits, way) => bits | INPUT[way], 0);
  const verification = SIGNATURE_OR_NONE | (onlinePin ? ANY_PIN : 0);
  return [input, verification, AUTHENTICATION].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join("");
}
