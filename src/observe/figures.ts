import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Values by label names. Every value comes from a closed list or from the configuration. */
export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

/** Registers figures of one bridge under their names; two bridges in one process do not mix. */
export interface Figures {
  /** `known`: label values that are shown as 0 before they are first counted, so that a rate sees the first one. */
  counter(name: string, help: string, labelNames?: readonly string[], known?: readonly Labels[]): (labels?: Labels, by?: number) => void;
  /** A counter that something else keeps. */
  counted(name: string, help: string, read: () => number): void;
  /** Read at each scrape; what is not told any more is not shown any more. */
  gauge(name: string, help: string, labelNames: readonly string[], read: () => readonly Sample[]): void;
  /** `buckets`: upper bounds in seconds. */
  histogram(name: string, help: string, labelNames: readonly string[], buckets: readonly number[]): (labels: Labels, seconds: number) => void;
  /** The figures of Node itself: processor, memory, open files, start time, garbage collection, event loop. */
  ofProcess(): void;
  /** The Prometheus text format. */
  text(): Promise<string>;
}

export function createFigures(): Figures {
  const registry = new Registry();
  const registers = [registry];
  return {
    counter: (name, help, labelNames = [], known = []) => {
      const counter = new Counter({ name, help, labelNames: [...labelNames], registers });
      for (const labels of known) counter.inc({ ...labels }, 0);
      return (labels = {}, by = 1) => counter.inc({ ...labels }, by);
    },
    counted: (name, help, read) => {
      new Counter({
        ...{ name, help, registers },
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    },
    gauge: (name, help, labelNames, read) => {
      new Gauge({
        ...{ name, help, labelNames: [...labelNames], registers },
        collect() {
          this.reset();
          // What has no labels is reset to 0, which would be a value.
          if (labelNames.length === 0) this.remove();
          for (const { labels = {}, value } of read()) this.set({ ...labels }, value);
        },
      });
    },
    histogram: (name, help, labelNames, buckets) => {
      const histogram = new Histogram({ name, help, labelNames: [...labelNames], buckets: [...buckets], registers });
      return (labels, seconds) => histogram.observe({ ...labels }, seconds);
    },
    ofProcess: () => collectDefaultMetrics({ register: registry }),
    text: () => registry.metrics(),
  };
}
