import { describe, expect, it } from "vitest";
import { expectRefusal } from "../answer.ts";
import { startService } from "../service.ts";
import { cardCharge, order } from "../steps.ts";

describe("API keys", () => {
  const service = startService({ settings: { ratePolicy: "off" } });
  const secretTest = { environment: "test", kind: "secret" };

  it("a revoked secret key gives 401 unauthorized Invalid API key, and the new key reads what the old one made", async () => {
    const shop = await service.merchant();
    const session = await shop.call("POST /checkout-sessions", { body: order });
    const path = `/organizations/${shop.organizationId}/keys` as const;
    const key = (await service.control(`POST ${path}`, secretTest)).text("key");
    await service.control(`POST ${path}/revoke`, { key: shop.keys.test.secret });
    const read = { params: { id: session.text("id") } };
    expectRefusal(await shop.call("GET /checkout-sessions/{id}", read), 401, "unauthorized", "Invalid API key");
    expect((await shop.call("GET /checkout-sessions/{id}", { ...read, key })).status).toBe(200);
  });

  it("keys are revoked separately for test and live", async () => {
    const shop = await service.merchant();
    await service.control(`POST /organizations/${shop.organizationId}/keys/regenerate`, secretTest);
    expect((await shop.call("GET /transactions")).status).toBe(401);
    expect((await shop.live("GET /transactions")).status).toBe(200);
  });

  it("a publishable key confirms a card with the client secret of the charge, and a secret key is refused", async () => {
    const shop = await service.merchant();
    const charge = await shop.call("POST /charge/card", { body: cardCharge });
    const path = `/card-charges/${charge.text("data.id")}/confirm` as const;
    const card = { number: "4242424242424242", client_secret: charge.text("data.client_secret") };
    const refused = await service.tryControl(`POST ${path}`, { ...card, publishable_key: shop.keys.test.secret });
    expectRefusal(refused, 403, "forbidden");
    const confirmed = await service.control(`POST ${path}`, { ...card, publishable_key: shop.keys.test.publishable });
    expect(confirmed.text("data.status")).toBe("succeeded");
    const read = await shop.call("GET /charge/card/{id}", { params: { id: charge.text("data.id") } });
    expect(read.text("data.status")).toBe("succeeded");
  });
});
