import { describe, expect, it } from "vitest";
import {
  EMPTY,
  findingText,
  meaningOf,
  missingOf,
  paramsOf,
  type ResolveAction,
  type ResolveForm,
  resolveForm,
} from "../../../../src/web/console/resolve-form.ts";

const told = (...actions: readonly ResolveAction[]): ResolveForm => actions.reduce(resolveForm, EMPTY);
const REVERSED = [
  { is: "chosen", as: "reversed" },
  { is: "reason", text: " not in the back office " },
] as const;

describe("the form that closes a payment", () => {
  it("asks once more before anything is sent", () => {
    expect(told(...REVERSED, { is: "send" }).step).toBe("filling");
    expect(told(...REVERSED, { is: "go-on" }).step).toBe("confirming");
    expect(told(...REVERSED, { is: "go-on" }, { is: "send" }).step).toBe("sending");
    expect(told(...REVERSED, { is: "go-on" }, { is: "back" }).step).toBe("filling");
    expect(told(...REVERSED, { is: "go-on" }, { is: "send" }, { is: "refused" }).step).toBe("filling");
  });

  it("does not go on without a choice and a reason, and says what is missing", () => {
    const tried = told({ is: "go-on" });
    expect([tried.step, tried.isTried]).toEqual(["filling", true]);
    expect(Object.keys(missingOf(tried))).toEqual(["as", "reason"]);
    expect(told({ is: "chosen", as: "declined" }, { is: "reason", text: "   " }, { is: "go-on" }).step).toBe("filling");
    expect(missingOf(told({ is: "chosen", as: "declined" }, { is: "reason", text: "x".repeat(501) })).reason).toContain(
      "500",
    );
  });

  it("wants the gateway's id for approved, and sends none for anything else", () => {
    const approved = [{ is: "chosen", as: "approved" } as const, { is: "reason", text: "seen" } as const];
    expect(told(...approved, { is: "go-on" }).step).toBe("filling");
    expect(Object.keys(missingOf(told(...approved)))).toEqual(["gatewayId"]);
    const named = [...approved, { is: "gateway-id", text: " 8ac7a4a1 " } as const];
    expect(paramsOf(told(...named))).toEqual({ as: "approved", reason: "seen", gatewayId: "8ac7a4a1" });
    expect(paramsOf(told(...named, { is: "chosen", as: "declined" }))).toEqual({ as: "declined", reason: "seen" });
    expect(paramsOf(told(...REVERSED))).toEqual({ as: "reversed", reason: "not in the back office" });
  });
});

it("says what a choice means for a payment, a void and a capture", () => {
  expect(meaningOf("approved", { type: "SALE" })).toContain("ends as approved");
  expect(meaningOf("approved", { type: "VOID" })).toContain("carried out");
  expect(meaningOf("reversed", { type: "SALE", outcome: "APPROVED", capture: "failed" })).toContain("stays approved");
});

it("says that the operator's word counts where the gateway does not bear it out", () => {
  expect(findingText("nothing", "reversed")).toBe("The gateway was asked once more and shows nothing of it.");
  expect(findingText("no-answer", "reversed")).toContain("counts all the same");
  expect(findingText("booked", "approved")).not.toContain("counts");
  expect(findingText("booked", "declined")).toContain("counts all the same");
});
