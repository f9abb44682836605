import { z } from "zod";
import { BRANDS } from "../emv/brand.ts";

/* Values used at several places of the configuration file. */

/** Text for receipts: one line, without characters that control a printer or a browser. */
export const printable = (max: number) =>
  z
    .string()
    .max(max, `has more than ${max} characters; shorten it`)
    .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u, "has control characters or line breaks; use plain text on one line");

export const path = z
  .string()
  .min(1, "is empty; name a file or folder")
  .max(4096, "has more than 4096 characters; use a shorter path");

export const bounded = (min: number, max: number, unit: string) => {
  const message = `must be a whole number from ${min} to ${max}${unit === "" ? "" : ` (${unit})`}; change it`;
  return z.int(message).min(min, message).max(max, message);
};

export const digits = z
  .string()
  .regex(
    /^[0-9]{1,32}$/,
    "must be 1 to 32 digits, as the acquirer gave it; a number with letters cannot be sent to the gateway",
  );

/** Specification, "Basic payment parameters": entityId. */
export const entityId = z
  .string()
  .regex(/^[0-9a-f]{32}$/, "must be 32 lower-case hexadecimal digits; copy it from the gateway's administration")
  .meta({ examples: ["8a8294174b7ecb28014b9699220015ca"] });

export const settlement = z.enum(["dual", "single"]);

/** Any subset of the brands is allowed. */
export const settlementByBrand = z.strictObject(
  Object.fromEntries(BRANDS.map((brand) => [brand, settlement.optional()])),
);

export const environmentVariable = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]{0,127}$/,
    "must be the name of an environment variable, not the secret itself; write for example GATEWAY_TOKEN",
  )
  .optional();
