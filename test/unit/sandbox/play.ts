import type { Answered, Bench } from "./bench.ts";

const HOUR_MS = 60 * 60 * 1000;

/**
 * Steps of a story: "PA", then what refers to what. "CP 5.00 of 0" captures from step 0, LAST is a CP with
 * sequence=FINAL and FINAL a refund with it, MORE an increment, KEEP
 * a card that is stored. "+HOURS" lets time pass.
 */
export async function play(on: Bench, steps: readonly string[]): Promise<readonly string[]> {
  const ids: (string | undefined)[] = [];
  const codes: string[] = [];
  for (const step of steps) {
    const [verb = "", amount, , of = "0"] = step.split(" ");
    if (verb.startsWith("+")) {
      on.sandbox.advance(Number(verb) * HOUR_MS);
      continue;
    }
    const { code, body } = await take(on, verb, amount, ids[Number(of)]);
    ids.push(body.id);
    codes.push(code);
  }
  return codes;
}

async function take(on: Bench, verb: string, amount: string | undefined, of: string | undefined): Promise<Answered> {
  switch (verb) {
    case "PA":
    case "DB":
    case "CD":
      return on.sell({ paymentType: verb, amount: amount ?? "12.34" });
    case "MORE":
      return on.raise(of, amount ?? "1.00");
    case "LAST":
      return on.refer(of, "CP", amount, { sequence: "FINAL" });
    case "FINAL":
      return on.refer(of, "RF", amount, { sequence: "FINAL" });
    case "KEEP":
      return on.register();
    case "CP":
    case "RV":
    case "RF":
    case "RB":
    case "CB":
    case "CR":
    case "RC":
      return on.refer(of, verb, amount === "all" ? undefined : amount);
    default:
      throw new Error(`no step ${verb}`);
  }
}
