import { merchantSchema, organizationSchema, providerSchema } from "@tillkit/client/schemas";
import { describe, expect, it } from "vitest";
import { api, openSandbox } from "./open-sandbox.ts";
import { moveMoney, payNewSession } from "./payments.ts";

describe("organizations", () => {
  it("GET /organizations returns the organization of the key with its revenue and counts in the key's environment", async () => {
    const sandbox = await openSandbox();
    const { transaction_id } = await payNewSession(sandbox);
    await moveMoney(sandbox, "/refunds", { transaction_id, amount: 5000 });
    await sandbox.control.createSubscription({ amount: 1000, billing_interval: "week" });
    const { json } = await api(sandbox, "GET /organizations");
    organizationSchema.array().parse(json);
    expect(json).toHaveLength(1);
    expect(json[0]).toMatchObject({
      name: "Marché Démo",
      slug: "marche-demo",
      status: "active",
      default_currency: "XOF",
      total_revenue: 20_000,
      total_transactions: 1,
      total_customers: 1,
      arr: 52_000, // 1,000 a week for 52 weeks
      mrr: 4333, // a twelfth of the annual revenue
    });
    const live = (await api(sandbox, "GET /organizations", { key: sandbox.keys.live.secret })).json;
    expect(live[0]).toMatchObject({ organization_id: json[0].organization_id, total_revenue: 0 });
    expect((await api(sandbox, `GET /organizations/${json[0].organization_id}`)).json).toEqual(json[0]);
  });

  it("an organization names the time of its last change", async () => {
    const start = Date.parse("2026-05-01T08:00:00.000Z");
    const sandbox = await openSandbox({ clock: { now: () => start } });
    const [before] = (await api(sandbox, "GET /organizations")).json;
    expect(before.updated_at).toBe(before.created_at);
    await sandbox.control.advanceClock(60_000);
    await sandbox.control.updateOrganization(before.organization_id, { name: "Chez Adjoua" });
    const [after] = (await api(sandbox, "GET /organizations")).json;
    expect(after).toMatchObject({
      name: "Chez Adjoua",
      created_at: before.created_at,
      updated_at: "2026-05-01T08:01:00.000Z",
    });
  });

  it("the organization of another merchant is 404", async () => {
    const sandbox = await openSandbox();
    const other = await sandbox.control.createOrganization("Other");
    const { status, json } = await api(sandbox, `GET /organizations/${other.organization_id}`);
    expect([status, json.error.message]).toEqual([404, "Organization not found"]);
  });
});

describe("merchants", () => {
  it("the merchant of another organization is 403, and an unknown merchant is 404", async () => {
    const sandbox = await openSandbox();
    const [{ merchant_id }] = (await api(sandbox, "GET /organizations")).json;
    const { json } = await api(sandbox, `GET /merchants/${merchant_id}`);
    merchantSchema.parse(json);
    expect(json).toMatchObject({ merchant_id, name: "Marché Démo", mrr: 0 });
    const other = await sandbox.control.createOrganization("Other");
    const foreign = await api(sandbox, `GET /merchants/${other.merchant_id}`);
    expect([foreign.status, foreign.json.error.code]).toEqual([403, "forbidden"]);
    expect((await api(sandbox, "GET /merchants/3fa85f64-5717-4562-b3fc-2c963f66afa6")).status).toBe(404);
  });
});

describe("providers", () => {
  it("GET /providers lists every provider with its connection", async () => {
    const sandbox = await openSandbox();
    const { json } = await api(sandbox, "GET /providers");
    providerSchema.array().parse(json);
    const connected = json.filter((row: { is_connected: boolean }) => row.is_connected);
    expect(connected.map((row: { provider_code: string }) => row.provider_code)).toEqual(["CARD", "WAVE", "MTN"]);
    expect((await api(sandbox, "GET /providers?provider_code=SPI")).json).toMatchObject([{ is_connected: false }]);
    expect((await api(sandbox, "GET /providers?provider_code=VISA")).status).toBe(400);
  });
});
