/** Which side a figure is of: the bridge, or what it is compared with. */
export type Of = "bridge" | "bare";

/** Measured values by row and side, as they come. */
export interface Figures {
  add(row: string, of: Of, value: number): void;
  of(row: string): Readonly<Record<Of, readonly number[]>>;
  rows(): readonly string[];
}

export function createFigures(): Figures {
  const rows = new Map<string, Record<Of, number[]>>();
  return {
    add: (row, of, value) => {
      const both = rows.get(row) ?? { bridge: [], bare: [] };
      rows.set(row, both);
      both[of].push(value);
    },
    of: (row) => rows.get(row) ?? { bridge: [], bare: [] },
    rows: () => [...rows.keys()],
  };
}
