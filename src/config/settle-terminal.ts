import type { Connection, SettlementByBrand, TerminalSettings } from "./configuration.ts";
import type { Resolve } from "./rule.ts";
import type { ConfigurationFile } from "./schema.ts";
import { TCP_ADDRESS, type WrittenTerminal } from "./terminal-schema.ts";

/** The gateway's channel: defaults for terminals without their own. */
export type ShopChannel = Pick<ConfigurationFile["gateway"], "entityId" | "settlement" | "settlementByBrand">;

/** Fills in every default of a written terminal; the channel's defaults are the gateway's. */
export function settleTerminal(written: WrittenTerminal, gateway: ShopChannel, resolve: Resolve): TerminalSettings {
  const { id, model, options, terminalId, deviceType, deviceId, entityId, settlement, settlementByBrand, location } =
    written;
  const { latitude, longitude, accuracy } = location ?? {};
  return {
    id,
    model,
    connection: settleConnection(written.connection, resolve),
    options,
    terminalId,
    entityId: entityId ?? gateway.entityId,
    ...(entityId !== undefined && { hasOwnEntity: true as const }),
    settlement: settlement ?? gateway.settlement,
    // A terminal's own settlement applies to all brands.
    settlementByBrand: settleBrands(settlementByBrand ?? (settlement === undefined ? gateway.settlementByBrand : {})),
    ...(deviceType !== undefined && { deviceType }),
    ...(deviceId !== undefined && { deviceId }),
    ...(latitude !== undefined &&
      longitude !== undefined && { location: { latitude, longitude, ...(accuracy !== undefined && { accuracy }) } }),
  };
}

export function settleBrands(written: NonNullable<WrittenTerminal["settlementByBrand"]>): SettlementByBrand {
  return Object.fromEntries(
    Object.entries(written).flatMap(([brand, settlement]) => (settlement === undefined ? [] : [[brand, settlement]])),
  );
}

/** The rules have ensured exactly one of serial, tcp, usb and websocket. */
function settleConnection(
  { serial, tcp, usb, websocket }: WrittenTerminal["connection"],
  resolve: Resolve,
): Connection {
  if (serial !== undefined) return { kind: "serial", path: resolve(serial) };
  if (usb !== undefined) {
    const { vendorId, productId, serialNumber } = usb;
    return { kind: "usb", vendorId, productId, ...(serialNumber !== undefined && { serialNumber }) };
  }
  const address = TCP_ADDRESS.exec(tcp ?? websocket ?? "");
  const host = address?.[1] ?? address?.[2];
  if (host === undefined)
    throw new RangeError("a connection that passed the rules is neither serial nor tcp, usb or websocket");
  return { kind: tcp === undefined ? "websocket" : "tcp", host, port: Number(address?.[3]) };
}
