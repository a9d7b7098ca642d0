import { isLoopbackHost } from "@tillkit/client";
import { describe, expect, test } from "vitest";
import { isConfigAddress } from "../src/config.ts";

describe("an address of this machine", () => {
  test.each(["localhost", "shop.localhost", "127.0.0.1", "127.255.255.254", "[::1]"])(
    "%s is an address of this machine",
    (hostname) => {
      expect(isLoopbackHost(hostname)).toBe(true);
    },
  );

  test.each([
    "127.0.0.1.evil.example",
    "127.evil.example",
    "localhost.evil.example",
    "evillocalhost",
    "10.0.0.1",
    "[::2]",
  ])("%s is not an address of this machine", (hostname) => {
    expect(isLoopbackHost(hostname)).toBe(false);
    expect(isConfigAddress(`http://${hostname}/x`)).toBe(false);
  });
});
