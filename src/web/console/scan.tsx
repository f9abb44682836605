import { connectionText, type Device, type PairForm } from "./pair-form.ts";
import { Ago, TroubleNotice } from "./parts.tsx";
import { hrefOf } from "./route.ts";
import type { Loaded } from "./use-load.ts";

interface DevicesProps {
  readonly devices: Loaded<readonly Device[]>;
  readonly chosen: Pick<PairForm, "address" | "usbSerial">;
  readonly onDevice: (device: Device) => void;
}

/** Devices found by a scan, to choose from. */
export function Devices({ devices, chosen, onDevice }: DevicesProps) {
  const { value, trouble, isBusy, readAt, reload } = devices;
  return (
    <section class="card stack">
      <div class="row spread">
        <h2>1. Choose the device</h2>
        <button type="button" disabled={isBusy} onClick={reload}>
          {isBusy ? "Scanning…" : "Scan again"}
        </button>
      </div>
      <TroubleNotice trouble={trouble} />
      {value?.length === 0 && (
        <p>
          Nothing is plugged in at USB or a serial port. Plug the terminal in and scan again; one on the network is not
          found by itself: type its address below.
        </p>
      )}
      <ul class="devices">
        {value?.map((device) => (
          <li key={connectionText(device.connection)}>
            <DeviceRow device={device} isChosen={isChosen(device, chosen)} onDevice={onDevice} />
          </li>
        ))}
      </ul>
      {readAt !== undefined && (
        <p class="soft small">
          Scanned <Ago at={readAt} />. No device is opened by a scan.
        </p>
      )}
    </section>
  );
}

function isChosen({ connection: { serial, usb } }: Device, { address, usbSerial }: DevicesProps["chosen"]): boolean {
  if (usb !== undefined) return usbSerial !== "" && usb.serialNumber === usbSerial;
  return serial !== undefined && serial === address;
}

function DeviceRow({
  device,
  isChosen: isPressed,
  onDevice,
}: {
  readonly device: Device;
  readonly isChosen: boolean;
  readonly onDevice: (device: Device) => void;
}) {
  const { connection, name, serialNumber, likely, usedBy, problem } = device;
  const [best] = likely;
  return (
    <div class="device">
      <div>
        <strong>{name}</strong>
        {serialNumber !== undefined && <span class="soft"> serial number {serialNumber}</span>}
        <p class="mono small break">{connectionText(connection)}</p>
        <p class="small">
          {best === undefined
            ? "No model is known by what it tells of itself."
            : `Probably ${best.model}: ${best.why}.`}
        </p>
        {problem !== undefined && <p class="small problem">{problem}</p>}
      </div>
      {usedBy === undefined ? (
        <button type="button" aria-pressed={isPressed} onClick={() => onDevice(device)}>
          {isPressed ? "Chosen" : "Choose"}
        </button>
      ) : (
        <a class="small" href={hrefOf({ at: "terminal", id: usedBy })}>
          Terminal {usedBy} has it
        </a>
      )}
    </div>
  );
}
