import type { DriverModel, Fingerprint } from "./driver.ts";

/** Identity of a device without opening it. */
export interface Shown {
  readonly over: Fingerprint["over"];
  readonly vendorId?: number;
  readonly productId?: number;
  readonly manufacturer?: string;
  readonly product?: string;
  /** Every system path of the device. */
  readonly paths: readonly string[];
}

/** A possible model: its best matching fingerprint, the reasons, and the origin of the ids. */
export interface Candidate {
  readonly model: string;
  readonly title: string;
  readonly score: number;
  readonly because: readonly string[];
  readonly source: string;
}

export interface Matching {
  /** The assumed model. Absent if none is likely enough, or two are too close: no match is better than a wrong one. */
  readonly model?: string;
  /** One line for a person. */
  readonly why: string;
  /** Most likely first. */
  readonly candidates: readonly Candidate[];
}

/** Minimum score for an assumed model. */
const ENOUGH = 60;
/** Minimum lead of the most likely model. */
const LEAD = 15;

/** Finds the probable model of a device; independent of the order of models. */
export function matchDevice(
  shown: Shown,
  models: readonly Pick<DriverModel, "id" | "title" | "fingerprints">[],
): Matching {
  const candidates = models
    .flatMap(({ id, title, fingerprints }) =>
      fingerprints.flatMap((fingerprint) => candidate(id, title, fingerprint, shown)),
    )
    .sort((a, b) => b.score - a.score || (a.model < b.model ? -1 : 1))
    .filter(({ model }, at, all) => all.findIndex((other) => other.model === model) === at);
  const [first, second] = candidates;
  if (first === undefined) return { why: "no model's ids or texts are these", candidates };
  const scored = `${first.model} has ${first.score} of 100`;
  if (first.score < ENOUGH)
    return { why: `${scored}, and ${ENOUGH} are needed: ${first.because.join(", ")} are not its alone`, candidates };
  if (second !== undefined && first.score - second.score < LEAD) {
    return {
      why: `${scored} and ${second.model} ${second.score}, which is too close to tell; choose the model by its name plate`,
      candidates,
    };
  }
  return { model: first.model, why: `${scored}: ${first.because.join(", ")}`, candidates };
}

function candidate(model: string, title: string, fingerprint: Fingerprint, shown: Shown): readonly Candidate[] {
  const { over, vendorId, productId, manufacturer, product, path, score, source } = fingerprint;
  const at = path === undefined ? undefined : shown.paths.find((one) => path.test(one));
  const holds =
    over === shown.over &&
    vendorId === shown.vendorId &&
    (productId === undefined || productId === shown.productId) &&
    (manufacturer === undefined || manufacturer.test(shown.manufacturer ?? "")) &&
    (product === undefined || product.test(shown.product ?? "")) &&
    (path === undefined || at !== undefined);
  if (!holds) return [];
  const because = [
    `vendor id ${hex(vendorId)}`,
    ...(productId === undefined ? [] : [`product id ${hex(productId)}`]),
    ...(manufacturer === undefined ? [] : [`manufacturer "${shown.manufacturer}"`]),
    ...(product === undefined ? [] : [`product "${shown.product}"`]),
    ...(at === undefined ? [] : [`path ${at}`]),
  ];
  return [{ model, title, score, because, source }];
}

function hex(id: number): string {
  return id.toString(16).padStart(4, "0");
}
