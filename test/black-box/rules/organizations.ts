import { describe, expect, it } from "vitest";
import { anId, aTime, expectRefusal } from "../answer.ts";
import { unknownId } from "../operations.ts";
import { startService } from "../service.ts";
import { chargeWave, netOfOrder } from "../steps.ts";

describe("Organizations, merchants, providers, accounts", () => {
  const service = startService();

  it("GET /organizations returns only the key's organization", async () => {
    const shop = await service.merchant();
    const rows = (await shop.call("GET /organizations")).rows();
    expect(rows.map((row) => row.organization_id)).toEqual([shop.organizationId]);
    expect(rows[0]).toMatchObject({
      name: "A shop",
      status: "active",
      is_deleted: false,
      merchant_id: shop.merchantId,
      created_at: aTime,
      updated_at: aTime,
      metadata: expect.any(Object),
    });
    expect(["unverified", "starter", "verified"]).toContain(rows[0]?.verification_status);
    expect(["XOF", "USD", "EUR"]).toContain(rows[0]?.default_currency);
  });

  it("an organization has all of its fields", async () => {
    const [row = {}] = (await service.call("GET /organizations")).rows();
    for (const name of [
      "organization_id",
      "name",
      "email",
      "phone_number",
      "verification_status",
      "website_url",
      "logo_url",
      "status",
      "default_currency",
      "slug",
      "storefront_enabled",
      "total_revenue",
      "total_transactions",
      "total_merchants",
      "total_customers",
      "mrr",
      "arr",
      "merchant_lifetime_value",
      "industry",
      "employee_number",
      "is_starter_business",
      "metadata",
      "created_at",
      "updated_at",
      "is_deleted",
    ]) {
      expect(row).toHaveProperty(name);
    }
  });

  it("GET /organizations/{id} returns the same organization, and gives 404 not_found for any other id", async () => {
    const [mine, theirs] = [await service.merchant(), await service.merchant()];
    const [row] = (await mine.call("GET /organizations")).rows();
    const own = await mine.call("GET /organizations/{id}", { params: { id: mine.organizationId } });
    expect(own.status).toBe(200);
    expect(own.body).toEqual(row);
    for (const id of [theirs.organizationId, unknownId]) {
      expectRefusal(await mine.call("GET /organizations/{id}", { params: { id } }), 404, "not_found");
    }
  });

  it("GET /merchants/{id} returns the key's merchant, and gives 403 forbidden for another merchant", async () => {
    const [mine, theirs] = [await service.merchant(), await service.merchant()];
    const own = await mine.call("GET /merchants/{id}", { params: { id: mine.merchantId } });
    expect(own.status).toBe(200);
    expect(own.body).toMatchObject({ merchant_id: mine.merchantId, created_at: aTime, updated_at: aTime });
    for (const name of [
      "name",
      "email",
      "phone_number",
      "country",
      "mrr",
      "arr",
      "merchant_lifetime_value",
      "metadata",
    ]) {
      expect(own.body).toHaveProperty(name);
    }
    const other = await mine.call("GET /merchants/{id}", { params: { id: theirs.merchantId } });
    expectRefusal(other, 403, "forbidden");
  });

  it("GET /providers shows which providers are connected, and filters by provider_code", async () => {
    const rows = (await service.call("GET /providers")).rows();
    expect(rows.map((row) => row.provider_code)).toEqual(expect.arrayContaining(["CARD", "WAVE", "MTN"]));
    for (const row of rows) {
      expect(["CARD", "WAVE", "MTN", "SPI"]).toContain(row.provider_code);
      expect(row).toMatchObject({ is_connected: expect.any(Boolean), environment: "test" });
      expect(row).toHaveProperty("metadata");
    }
    const wave = (await service.call("GET /providers", { query: { provider_code: "WAVE" } })).rows();
    expect(wave.map((row) => row.provider_code)).toEqual(["WAVE"]);
  });

  it("GET /accounts lists the key's accounts, and each account is read by its id", async () => {
    const shop = await service.merchant();
    await chargeWave(shop.call);
    const rows = (await shop.call("GET /accounts")).rows();
    const francs = rows.find((row) => row.currency_code === "XOF");
    expect(francs).toMatchObject({
      account_id: anId,
      organization_id: shop.organizationId,
      balance: netOfOrder,
      environment: "test",
      created_at: aTime,
    });
    const id = String(francs?.account_id);
    const own = await shop.call("GET /accounts/{id}", { params: { id } });
    expect(own.status).toBe(200);
    expect(own.body).toEqual(francs);
    expectRefusal(await service.call("GET /accounts/{id}", { params: { id } }), 404, "not_found");
  });
});
