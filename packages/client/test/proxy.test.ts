import { expect, test } from "vitest";
import { findProxy } from "../src/transport/proxy.ts";

const PROXY = "http://proxy.example:3128";

test.each([
  ["nothing", undefined, {}, null],
  ["HTTPS_PROXY", undefined, { HTTPS_PROXY: PROXY }, "proxy.example:3128"],
  ["https_proxy, as curl reads it", undefined, { https_proxy: "proxy.example:3128" }, "proxy.example:3128"],
  ["TILLKIT_PROXY before HTTPS_PROXY", undefined, { TILLKIT_PROXY: "http://own:1", HTTPS_PROXY: PROXY }, "own:1"],
  ["TILLKIT_PROXY=off", undefined, { TILLKIT_PROXY: "off", HTTPS_PROXY: PROXY }, null],
  ["the option before the environment", "http://option:1", { HTTPS_PROXY: PROXY }, "option:1"],
  ["the option off", "off", { HTTPS_PROXY: PROXY }, null],
])("a proxy is found by %s", (_how, setting, environment, host) => {
  expect(findProxy(setting, environment)?.url.host ?? null).toBe(host);
});

test.each(["socks5://proxy.example:1080", "http://", "proxy example"])(
  "the proxy %s is refused in one sentence",
  (setting) => {
    expect(() => findProxy(setting, {})).toThrow("The proxy must be an address such as http://proxy.example:3128.");
  },
);

test.each([
  ["api.service.example", 443, true],
  ["shop.example", 443, false],
  ["www.shop.example", 443, false],
  ["othershop.example", 443, true],
  ["INTERN.example", 443, false],
  ["port.example", 8443, false],
  ["port.example", 443, true],
  ["127.0.0.1", 443, false],
  ["localhost", 443, false],
])("NO_PROXY decides whether %s at port %i is reached through the proxy", (host, port, isUsed) => {
  const NO_PROXY = "shop.example, .intern.example *.other.example,intern.example,port.example:8443";
  expect(findProxy(PROXY, { NO_PROXY })?.isUsedFor(host, port)).toBe(isUsed);
  expect(findProxy(PROXY, { NO_PROXY: "*" })?.isUsedFor(host, port)).toBe(false);
});
