import { describe, expect, it } from "vitest";
import type { PaymentView } from "../../../../src/payment/view-schema.ts";
import { pictureOf } from "../../../../src/web/till/picture.ts";
import { cancellationText } from "../../../../src/web/till/picture-words.ts";
import { refusalOf } from "../../../../src/web/till/refusal.ts";
import { createSlowWatch } from "../../../../src/web/till/slow-watch.ts";
import { tabOf } from "../../../../src/web/till/tabs.ts";
import { nextTill, type Till, tillAfterReload } from "../../../../src/web/till/till-state.ts";
import { someAsked } from "./some-asked.ts";
import { somePayment } from "./some-payment.ts";

/** A till that has heard these changes of one sale. */
function heard(...changes: readonly Partial<PaymentView>[]): Till {
  const asked = someAsked("r1");
  const { reference } = asked.params;
  return changes.reduce<Till>(
    (till, change) => nextTill(till, { is: "changed", payment: somePayment({ reference, ...change }) }),
    {
      ...nextTill(tillAfterReload([]), { is: "asked", asked }),
    },
  );
}

function pictured({ entries: [entry] }: Till) {
  if (entry === undefined) throw new Error("nothing is on the table");
  return pictureOf(entry.standing, entry.title.type, true);
}

const prompt = (code: string) => ({ state: "AWAITING_CARD", prompt: { code, text: code } }) as const;
const ASKED = { state: "AUTHORIZING", prompt: { code: "PROCESSING", text: "One moment, please" } } as const;

describe("a wrong PIN", () => {
  it("is told until it is typed again", () => {
    const again = heard(prompt("ENTER_PIN"), prompt("WRONG_PIN"), prompt("ENTER_PIN"), prompt("ENTER_PIN"));
    expect(pictured(again)).toMatchObject({ look: "prompt", text: "The PIN was wrong. The customer types it again." });
    expect(pictured(heard(prompt("WRONG_PIN"), prompt("ENTER_PIN"), ASKED, prompt("ENTER_PIN"))).text).toBe(
      "On the terminal",
    );
  });
});

describe("a bank that does not answer", () => {
  /** A till under a watch, on a clock of its own. */
  const watched = (first: Till) => {
    const runs: { readonly ms: number; readonly run: () => void; isStopped: boolean }[] = [];
    let till = first;
    const watch = createSlowWatch(
      {
        after: (ms, run) => {
          const timer = { ms, run, isStopped: false };
          runs.push(timer);
          return () => {
            timer.isStopped = true;
          };
        },
      },
      (name) => {
        till = nextTill(till, { is: "slow", name });
      },
    );
    watch(till.entries);
    return { runs, watch, now: () => till };
  };

  it("is not known after ten seconds, whatever the terminal shows, until it has answered", () => {
    const { runs, watch, now } = watched(heard(ASKED));
    watch(heard(ASKED, { ...ASKED, updatedAt: "2026-03-01T10:00:05.000Z" }).entries);
    expect(runs.map(({ ms, isStopped }) => [ms, isStopped])).toEqual([[10_000, false]]);
    expect(pictured(now())).toMatchObject({ look: "prompt" });
    runs[0]?.run();
    expect(pictured(now())).toMatchObject({
      ...{ look: "unknown", title: "No answer yet", text: "Do not sell again, do not hand over." },
      ...{ mayCancel: true, isOver: false, isPaid: false },
    });
    const { reference } = someAsked("r1").params;
    const ended = nextTill(now(), { is: "changed", payment: somePayment({ reference, ...prompt("ENTER_PIN") }) });
    expect(pictured(ended).look).toBe("prompt");
    expect(pictured(nextTill(ended, { is: "changed", payment: somePayment({ reference, ...ASKED }) })).look).toBe(
      "prompt",
    );
  });

  it("that answers in time is not told of", () => {
    const { runs, watch } = watched(heard(ASKED));
    watch(heard(ASKED, prompt("ENTER_PIN")).entries);
    expect(runs[0]?.isStopped).toBe(true);
  });
});

it("does not show first after a reload what was laid aside for the next customer", () => {
  const first = someAsked("r0");
  expect(tillAfterReload([first, { ...someAsked("r1"), isLaidAside: true }]).front).toBe("r0");
  expect(tillAfterReload([{ ...first, isLaidAside: true }])).toMatchObject({
    front: undefined,
    entries: [{ name: "r0" }],
  });
});

it.each(["terminal-offline", "terminal-out-of-service"])(
  "tells the cashier nothing of devices after %s, and shows no decline",
  (code) => {
    const refusal = refusalOf(
      { code, message: "terminal till-1: cannot open /dev/ttyUSB0", reference: undefined, register: undefined },
      "till",
    );
    const picture = pictureOf({ is: "refused", refusal }, "SALE", true);
    expect(picture.look).toBe("stopped");
    expect(JSON.stringify(picture)).not.toContain("/dev");
  },
);

it("says of a cancel that was taken how it ends, until it has ended", () => {
  const standing = (state: PaymentView["state"]) => ({ is: "known", payment: somePayment({ state }) }) as const;
  expect(cancellationText("accepted", standing("REVERSING"))).toContain("it ends as not approved");
  expect(cancellationText("accepted", standing("FINAL"))).toBe("The cancel was taken, and this payment is over.");
});

it.each([
  ["", "sell"],
  ["#/", "sell"],
  ["#/history", "history"],
  ["#/totals", "totals"],
  ["#/elsewhere", "sell"],
])("shows at %s the view %s", (hash, tab) => {
  expect(tabOf(hash)).toBe(tab);
});
