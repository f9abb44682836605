import { expect, test } from "vitest";
import { gatewayBase } from "../../../src/gateway/base-url.ts";

test.each([
  "https://gateway.example/",
  "https://gateway.example:8443/prefix/",
  "http://127.0.0.1:7718/",
  "http://localhost:7718/",
  "http://[::1]:7718/",
])("%s is a base address", (baseUrl) => {
  expect(gatewayBase(baseUrl).href).toBe(baseUrl);
});

test.each([
  ["gateway.example", "is not an address"],
  ["", "is not an address"],
  ["http://gateway.example/", "must be https"],
  ["http://10.0.0.1/", "must be https"],
  ["http://localhost.example/", "must be https"],
  ["ftp://127.0.0.1/", "must be https"],
  ["https://user:word@gateway.example/", "must not hold a user name"],
  ["https://gateway.example/?a=1", "must not have a query"],
  ["https://gateway.example/#a", "must not have a query"],
  ["https://gateway.example", "must end with a slash"],
  ["https://gateway.example/prefix", "must end with a slash"],
])("'%s' is refused because it %s", (baseUrl, problem) => {
  expect(() => gatewayBase(baseUrl)).toThrow(`gateway.baseUrl ${problem}`);
});
