import { expect, test } from "vitest";
import { qrSvg } from "../../../src/kit/qr.ts";

test("a QR code is an SVG image that holds nothing of the text but its modules, and differs with it", () => {
  const svg = qrSvg("https://gateway.example/pay?x=<script>");
  expect(svg).toMatch(/^<svg [^>]*viewBox="0 0 \d+ \d+"[^>]*>.*<\/svg>$/s);
  expect(svg).not.toContain("script");
  expect(qrSvg("https://gateway.example/pay?x=2")).not.toBe(svg);
});

test("a QR code holds 2331 bytes and no more", () => {
  expect(qrSvg("x".repeat(2331))).toContain("<path");
  expect(() => qrSvg("x".repeat(2332))).toThrow();
});

test("a picture that was drawn before is the same after many others, whether it was kept or is drawn again", () => {
  const links = Array.from({ length: 200 }, (_, at) => `https://gateway.example/pay/${at}`);
  const first = links.map(qrSvg);
  expect(links.map(qrSvg)).toEqual(first);
  expect(new Set(first).size).toBe(links.length);
});
