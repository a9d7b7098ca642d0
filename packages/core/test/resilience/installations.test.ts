import { createManualClock } from "@tillkit/testkit";
import { describe, expect, it } from "vitest";
import { createMemoryLedger } from "../../src/memory.ts";
import { createInstallations, installationOf, listCopies } from "../../src/resilience/installations.ts";

function openInstallations() {
  const { records } = createMemoryLedger();
  const clock = createManualClock(Date.UTC(2026, 2, 1, 10));
  return { records, installations: createInstallations(records, clock) };
}

describe("a copy of a shop", () => {
  it.each([
    ["https", "http://shop.example/fr", "https://shop.example/fr"],
    ["www.", "https://www.shop.example", "https://shop.example/"],
    ["a port of a proxy in front", "https://shop.example", "http://shop.example:8080"],
    ["capital letters and a slash", "https://Shop.Example/fr/", "https://shop.example/fr"],
  ])("%s makes no other installation", (_, one, other) => {
    expect(installationOf(one)).toBe(installationOf(other));
  });

  it.each([
    ["a staging site", "https://staging.shop.example"],
    ["a backup in a folder", "https://shop.example/old"],
    ["another site of the same network", "https://shop.example/shop2"],
  ])("%s is another installation than the configured one, also where it is the first that calls", async (_, url) => {
    const { installations } = openInstallations();
    expect(await installations.originalOf("shop", url, "https://shop.example")).toBe("shop.example");
    expect(await installations.originalOf("shop", "https://shop.example", "https://shop.example")).toBeNull();
  });

  it("a person is asked once about an address, and a shop that moved is at both addresses", async () => {
    const { installations, records } = openInstallations();
    const call = (url: string) => installations.originalOf("shop", url, "https://shop.example");
    for (let time = 0; time < 3; time += 1) await call("https://boutique.example");
    expect(await listCopies(records)).toMatchObject([
      { storeId: "shop", address: "boutique.example", original: "shop.example" },
    ]);
    await installations.answer("shop", "https://boutique.example", "moved");
    expect(await call("https://boutique.example")).toBeNull();
    expect(await call("https://shop.example")).toBeNull();
    expect(await listCopies(records)).toEqual([]);
  });

  it("an address that is a copy stays one, and nobody is asked about it again", async () => {
    const { installations, records } = openInstallations();
    const call = () => installations.originalOf("shop", "https://staging.example", "https://shop.example");
    await call();
    await installations.answer("shop", "https://staging.example", "copy");
    expect(await call()).toBe("shop.example");
    expect(await listCopies(records)).toEqual([]);
  });

  it("a shop that was never configured stays at its first address when its owner adds another one", async () => {
    const { installations } = openInstallations();
    const call = (url: string) => installations.originalOf("", url);
    await call("https://pay.example");
    expect(await call("https://pay.example.sn")).toBe("pay.example");
    await installations.answer("", "https://pay.example.sn", "moved");
    expect([await call("https://pay.example"), await call("https://pay.example.sn")]).toEqual([null, null]);
  });

  it("a host is at its first address, and a host of this machine that was never anywhere else is no copy", async () => {
    const { installations } = openInstallations();
    expect(await installations.originalOf("", "http://localhost:9000")).toBeNull();
    expect(await installations.originalOf("", "https://pay.example")).toBeNull();
    expect(await installations.originalOf("", "https://staging.example")).toBe("pay.example");
    expect(await installations.originalOf("", "http://localhost:9000")).toBe("pay.example");
  });
});
