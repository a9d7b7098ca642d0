import { expect, test } from "vitest";
import { addressFault, parseUrl } from "../src/index.ts";

test("an address with letters such as ü and é is as valid at its twenty-thousandth reading as at its first", () => {
  const address = "https://bücher.example/café";
  for (let reading = 0; reading < 20_000; reading += 1) {
    if (addressFault(address, "base") !== null) throw new Error(`Refused at reading ${reading}.`);
  }
  expect(parseUrl(address)?.hostname).toBe("xn--bcher-kva.example");
  expect(parseUrl("bücher")).toBeNull();
});
