import { expect, test } from "vitest";
import { interfacesFor } from "../../../src/payment/admission/admit.ts";

const ALL = ["chip", "contactless", "stripe", "keyed"] as const;

test("without a word about it a card may come in every way that the terminal has, but that its number is typed", () => {
  expect(interfacesFor(undefined, ALL)).toEqual(["chip", "contactless", "stripe"]);
  expect(interfacesFor(undefined, ["keyed"])).toEqual([]);
});

test("with one it may come in the ways that are named, and that the terminal has", () => {
  expect(interfacesFor(["manual"], ALL)).toEqual(["keyed"]);
  expect(interfacesFor(["contactless", "chip"], ALL)).toEqual(["chip", "contactless"]);
  expect(interfacesFor(["magstripe"], ["chip"])).toEqual([]);
  expect(interfacesFor([], ALL)).toEqual([]);
});
