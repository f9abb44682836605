import { expect, it } from "vitest";
import { nextLines } from "../../../src/commands/setup-next.ts";

const on = {
  file: "/etc/posbridge/posbridge.yaml",
  user: "posbridge",
  register: "till-1",
  platform: "linux",
  isHidden: false,
} as const;

it("names the doctor first, who asks the gateway, and then what installs the service", () => {
  expect(nextLines({ ...on, hasUnit: false }).slice(0, 2)).toEqual([
    "  sudo -u posbridge posbridge doctor --config /etc/posbridge/posbridge.yaml",
    "  posbridge service install --config /etc/posbridge/posbridge.yaml",
  ]);
});

it("starts the unit where a package brought it", () => {
  expect(nextLines({ ...on, hasUnit: true })[1]).toBe("  systemctl enable --now posbridge");
  expect(nextLines({ ...on, user: undefined, hasUnit: true })[1]).toBe("  sudo systemctl enable --now posbridge");
});

it("sends a service to the system's place where it would see nothing of the file", () => {
  const lines = nextLines({
    ...on,
    file: "/home/shop/posbridge.yaml",
    user: undefined,
    hasUnit: false,
    isHidden: true,
  });
  expect(lines[1]).toBe("  for a service, which sees nothing here: sudo posbridge setup");
});
