import { afterEach, describe, expect, it } from "vitest";
import type { TillkitOptions } from "../src/options/options.ts";
import { type Fixture, openFixture } from "./fixture.ts";

let fixture: Fixture | undefined;
afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
});

/** The return pages that the service receives with these options, for a storefront that sent `data` with its request. */
async function pagesWith(
  options: Partial<TillkitOptions>,
  { data = {}, country }: { readonly data?: Record<string, unknown>; readonly country?: string } = {},
) {
  fixture = await openFixture(options);
  const { session } = await fixture.startCheckout({ data, country });
  const { success_url: success, cancel_url: cancel } = JSON.parse((await fixture.payment(session)).request);
  return { success, cancel };
}

describe("the return URLs of the hosted page", () => {
  it("the token replaces {token} in the return URL", async () => {
    const { success } = await pagesWith({ returnUrl: "https://shop.example/back/{token}/here" });
    expect(success).toMatch(/^https:\/\/shop\.example\/back\/[\w-]+\.\d+\.[\w-]{43}\/here$/);
  });

  it("a shopper who cancels returns to the cancel URL", async () => {
    const { success, cancel } = await pagesWith({ cancelUrl: "https://shop.example/checkout?step=payment" });
    expect(success).toMatch(/^https:\/\/shop\.example\/return\?tillkit=/);
    expect(cancel).toMatch(/^https:\/\/shop\.example\/checkout\?step=payment&tillkit=/);
  });

  it("a storefront may choose return pages on an allowed origin", async () => {
    const { success, cancel } = await pagesWith(
      { allowedReturnOrigins: ["https://b2b.example/any/page"] },
      { data: { return_url: "https://b2b.example/done?lang=fr", cancel_url: "https://b2b.example/basket" } },
    );
    expect(success).toMatch(/^https:\/\/b2b\.example\/done\?lang=fr&tillkit=/);
    expect(cancel).toMatch(/^https:\/\/b2b\.example\/basket\?tillkit=/);
  });

  it("a shopper returns to the storefront of the country in the shipping address", async () => {
    const page = "https://shop.example/{country}/checkout";
    const { success, cancel } = await pagesWith({ returnUrl: `${page}/return`, cancelUrl: page }, { country: "SN" });
    expect(success).toMatch(/^https:\/\/shop\.example\/sn\/checkout\/return\?tillkit=/);
    expect(cancel).toMatch(/^https:\/\/shop\.example\/sn\/checkout\?tillkit=/);
  });

  it("without a country the address has no such part, and the storefront adds its own", async () => {
    const { success } = await pagesWith({ returnUrl: "https://shop.example/{country}/checkout/return" });
    expect(success).toMatch(/^https:\/\/shop\.example\/checkout\/return\?tillkit=/);
  });
});
