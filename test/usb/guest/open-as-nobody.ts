import { systemClock } from "../../../src/kit/system-clock.ts";
import { LinkError } from "../../../src/terminal/link.ts";
import { openUsb } from "../../../src/transport/usb.ts";

/* A program of its own: opens the reader of links.ts as somebody who may not, and says what came of it. */
process.setuid?.(65_534);
const opening = openUsb(
  { vendorId: 0x0acd, productId: 0x3530 },
  { how: "hid", reportBytes: 64, numbered: true },
  { clock: systemClock },
);
void opening
  .then(
    () => "opened all the same",
    (error: unknown) => (error instanceof LinkError ? `${error.code} ${error.message}` : String(error)),
  )
  .then((said) => {
    process.stdout.write(`${said}\n`);
    process.exit(0);
  });
