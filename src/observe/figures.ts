import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Values by label name. Every value comes from a closed list or from the configuration. */
export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

/** Figures of one bridge by name; two bridges in one process stay separate. */
export interface Figures {
  /** `known`: label values shown as 0 before their first event, so that a rate includes it. */
  counter(
    name: string,
    help: string,
    labelNames?: readonly string[],
    known?: readonly Labels[],
  ): (labels?: Labels, by?: number) => void;
  /** A counter kept elsewhere. */
  counted(name: string, help: string, read: () => number): void;
  /** Read at each scrape; labels that are no longer returned disappear. */
  gauge(name: string, help: string, labelNames: readonly string[], read: () => readonly Sample[]): void;
  /** `buckets`: upper bounds in seconds. */
  histogram(
    name: string,
    help: string,
    labelNames: readonly string[],
    buckets: readonly number[],
  ): (labels: Labels, seconds: number) => void;
  /** Node's own figures: processor, memory, open files, start time, garbage collection, event loop. */
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
          // Reset sets a gauge without labels to 0, which would be shown as a value.
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
