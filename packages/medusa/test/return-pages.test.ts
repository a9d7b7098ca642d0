import { createManualClock } from "@tillkit/testkit";
import { afterEach, describe, expect, it } from "vitest";
import type { TillkitOptions } from "../src/options/options.ts";
import { createReturnLinks } from "../src/till/return-links.ts";
import { openWorld, type World } from "./world.ts";

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const DAY = 24 * 3_600_000;
const OLD = "an old key of the tests, long enough to sign with";
const NEW = "a new key of the tests, long enough to sign with";

async function pagesWith(change: Partial<TillkitOptions>, data: Record<string, unknown> = {}) {
  world = await openWorld(change);
  const { session } = await world.beginCheckout({ data });
  const { success_url: success, cancel_url: cancel } = JSON.parse((await world.payment(session)).request);
  return { success, cancel };
}

describe("where the hosted page leads", () => {
  it("the token goes where the address says so", async () => {
    const { success } = await pagesWith({ returnUrl: "https://shop.example/back/{token}/here" });
    expect(success).toMatch(/^https:\/\/shop\.example\/back\/[\w-]+\.\d+\.[\w-]{43}\/here$/);
  });

  it("who cancels comes to the page for that", async () => {
    const { success, cancel } = await pagesWith({ cancelUrl: "https://shop.example/checkout?step=payment" });
    expect(success).toMatch(/^https:\/\/shop\.example\/return\?tillkit=/);
    expect(cancel).toMatch(/^https:\/\/shop\.example\/checkout\?step=payment&tillkit=/);
  });

  it("a storefront may name its own pages on an origin that the shop allows", async () => {
    const { success, cancel } = await pagesWith(
      { allowedReturnOrigins: ["https://b2b.example/any/page"] },
      { return_url: "https://b2b.example/done?lang=fr", cancel_url: "https://b2b.example/basket" },
    );
    expect(success).toMatch(/^https:\/\/b2b\.example\/done\?lang=fr&tillkit=/);
    expect(cancel).toMatch(/^https:\/\/b2b\.example\/basket\?tillkit=/);
  });
});

describe("a link back to the shop", () => {
  it("outlives the key that it was signed with for as long as that key is kept", () => {
    const clock = createManualClock();
    const token = createReturnLinks([OLD], clock).sign("payment-1");
    expect(createReturnLinks([NEW, OLD], clock).read(token)).toBe("payment-1");
    expect(createReturnLinks([NEW], clock).read(token)).toBeNull();
  });

  it("ends after thirty days", async () => {
    const clock = createManualClock();
    const links = createReturnLinks([NEW], clock);
    const token = links.sign("payment-1");
    await clock.advance(29 * DAY);
    expect(links.read(token)).toBe("payment-1");
    await clock.advance(2 * DAY);
    expect(links.read(token)).toBeNull();
  });
});
