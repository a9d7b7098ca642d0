import { silentLog } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import type { MedusaAdapterOptions } from "../src/adapter/adapter-options.ts";
import { createMedusaAdapter } from "../src/adapter/medusa-adapter.ts";

const container = {
  resolve(name: string): never {
    throw new Error(`A link needs nothing of Medusa, and ${name} was asked for.`);
  },
};

function adapterWith(change: Partial<MedusaAdapterOptions>) {
  return createMedusaAdapter({
    container,
    storeId: "medusa",
    environment: "test",
    language: "en",
    storeUrl: "https://shop.example",
    onMismatch: "notify",
    log: silentLog,
    ...change,
  });
}

const ref = { storeId: "medusa", orderId: "pay_col_01" };

describe("the adapter on pages outside Medusa", () => {
  it("an operator's page links to the payments of a cart in Medusa's admin", () => {
    const { adminUrl } = adapterWith({ adminUrl: "https://medusa.example.com/app/" });
    expect(adminUrl?.(ref)).toBe("https://medusa.example.com/app/tillkit?search=pay_col_01");
  });

  it("an adapter without the option adminUrl has no link", () => {
    expect(adapterWith({}).adminUrl?.(ref)).toBeNull();
  });

  it("a page for a broken link leads to the storefront, without a look of its own", () => {
    expect(adapterWith({}).branding).toEqual({ homeUrl: "https://shop.example" });
  });

  it("the shop's name and colour reach the pages that show them", () => {
    const branding = { homeUrl: "https://shop.example", color: "#0a7d4b" };
    expect(adapterWith({ name: "Chez Adjoua", branding })).toMatchObject({ name: "Chez Adjoua", branding });
  });
});
