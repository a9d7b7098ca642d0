import { addressFault, addressRule, createServiceClient, isLoopbackUrl, isPageOf, normalBase } from "@tillkit/client";
import { describe, expect, it } from "vitest";
import { settingsFollowAddressRule } from "./addresses/address-rule.ts";
import { probes } from "./addresses/probes.ts";

describe("the rule about addresses", () => {
  it.each(probes)("$address", ({ address, base, page, picture }) => {
    const kinds = (["base", "page", "picture"] as const).map((use) => addressFault(address, use)?.kind ?? null);
    expect(kinds).toEqual([base, page, picture]);
  });

  it("a link may lead to another machine over plain http, and has no user name", () => {
    expect(addressFault("http://host.example/x?a#b", "link")).toBeNull();
    expect(addressFault("https://user:hunter2@host.example", "link")).toEqual({ kind: "has_user" });
    expect(addressFault("javascript:alert(1)", "link")).toEqual({ kind: "not_https", use: "link" });
  });

  it("every refusal has a sentence of its own", () => {
    const kinds = ["not_absolute", "has_user", "has_query", "has_fragment"] as const;
    const uses = ["base", "picture", "link"] as const;
    const faults = [...kinds.map((kind) => ({ kind })), ...uses.map((use) => ({ kind: "not_https", use }) as const)];
    expect(new Set(faults.map((fault) => addressRule(fault))).size).toBe(faults.length);
  });

  it("an address that others begin with has one form", () => {
    for (const address of ["HTTPS://Bücher.example:443/x//", " https://bücher.example/x", "https://bücher.example/x?"])
      expect(normalBase(address)).toBe("https://xn--bcher-kva.example/x");
  });

  it("a page of an origin is not the page of another one, and has no user name", () => {
    expect(isPageOf("https://shop.example/orders?a#b", "https://shop.example")).toBe(true);
    for (const address of ["http://shop.example/", "https://shop.example:8443/", "https://a@shop.example/", "/orders"])
      expect(isPageOf(address, "https://shop.example")).toBe(false);
  });

  it("only certain names are those of this machine", () => {
    for (const host of ["localhost", "LOCALHOST", "127.0.0.1", "127.1", "[::1]"])
      expect(isLoopbackUrl(`http://${host}:9000/`)).toBe(true);
    for (const host of ["shop.localhost", "evillocalhost", "localhost.evil.example", "127.evil.example", "10.0.0.1"])
      expect(isLoopbackUrl(`http://${host}/`)).toBe(false);
  });
});

settingsFollowAddressRule([
  ["baseUrl", "base", (baseUrl) => createServiceClient({ apiKey: "svc_sk_test_0123456789abcdef", baseUrl })],
]);
