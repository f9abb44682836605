import { expect, it } from "vitest";
import { nextLines } from "../../../src/commands/setup-next.ts";

const on = { file: "/etc/posbridge/posbridge.yaml", user: "posbridge", register: "till-1", platform: "linux" } as const;

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
