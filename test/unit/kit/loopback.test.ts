import { expect, it } from "vitest";
import { isLoopback } from "../../../src/kit/loopback.ts";

it.each([
  "localhost",
  "LOCALHOST",
  "localhost.",
  "bridge.localhost",
  "127.0.0.1",
  "127.255.255.254",
  "127.1.2.3",
  "::1",
  "[::1]",
])("%s is this machine", (host) => {
  expect(isLoopback(host)).toBe(true);
});

it.each([
  "0.0.0.0",
  "::",
  "128.0.0.1",
  "127.0.0.256",
  "127.0.0",
  "127.0.0.1.example",
  "localhost.example",
  "notlocalhost",
  "192.168.1.1",
  "",
  "10.127.0.1",
])("%s is not proven to be this machine", (host) => {
  expect(isLoopback(host)).toBe(false);
});
