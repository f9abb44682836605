import { granted, refused } from "../../src/payment/fact/refusal.ts";
import type { Checked, Pairing, PairRequest, ProvenDevice } from "../../src/register/ports.ts";

/** The books of terminals without a device behind them. */
export interface FakePairing extends Pairing {
  readonly asked: {
    readonly by: string;
    readonly what: string;
    readonly terminal: string;
    readonly request?: object;
  }[];
  readonly paired: Map<string, PairRequest>;
  readonly labels: Map<string, string>;
  /** What the next proof of a device comes to. */
  proof: Checked<ProvenDevice>;
}

export function fakePairing(): FakePairing {
  const paired = new Map<string, PairRequest>();
  const labels = new Map<string, string>();
  const asked: FakePairing["asked"] = [];
  const self: FakePairing = {
    asked,
    paired,
    labels,
    proof: granted({ serialNumber: "S-1", warnings: [] }),
    notes: (terminal) => {
      const label = labels.get(terminal);
      return { paired: paired.has(terminal), ...(label !== undefined && { label }) };
    },
    models: () => [
      {
        id: "miura-m020",
        title: "Miura M010, M020",
        connections: ["serial", "tcp"],
        options: [{ name: "baudRate", meaning: "speed", usual: "115200" }],
      },
    ],
    scan: async () => [
      {
        connection: { serial: "/dev/ttyACM0" },
        name: "/dev/ttyACM0",
        model: "miura-m020",
        likely: [{ model: "miura-m020", title: "Miura", why: "vendor id 0525" }],
        usedBy: "till-1",
      },
    ],
    pair: async (by, request) => {
      asked.push({ by, what: "pair", terminal: request.id, request });
      if (self.proof.ok) paired.set(request.id, request);
      if (self.proof.ok && request.label !== undefined) labels.set(request.id, request.label);
      return self.proof;
    },
    rename: async (by, terminal, label) => {
      asked.push({ by, what: "rename", terminal, request: { label } });
      labels.set(terminal, label);
      return granted(self.notes(terminal));
    },
    replace: async (by, terminal, request) => {
      asked.push({ by, what: "replace", terminal, request });
      return self.proof;
    },
    unpair: async (by, terminal) => {
      asked.push({ by, what: "unpair", terminal });
      return paired.delete(terminal)
        ? granted({})
        : refused("not-allowed", `terminal ${terminal} is one of the configuration file`, "fix-config");
    },
  };
  return self;
}
