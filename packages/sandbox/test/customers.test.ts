import { customerSchema, transactionSchema } from "@tillkit/client/schemas";
import { describe, expect, it } from "vitest";
import type { Sandbox } from "../src/index.ts";
import { api, type Json, openSandbox } from "./open-sandbox.ts";
import { mobileCharge, moveMoney, payNewSession } from "./payments.ts";

const create = async (sandbox: Sandbox, body: Json): Promise<Json> =>
  (await api(sandbox, "POST /customers", { body })).json;

const namesFound = async (sandbox: Sandbox, query: string): Promise<string[]> =>
  (await api(sandbox, `GET /customers?${query}`)).json.data.map(({ name }: { name: string }) => name);

describe("customers", () => {
  it("customers are created, read and changed field by field", async () => {
    const sandbox = await openSandbox();
    const fields = { name: "Awa Diop", email: "awa@example.test", whatsapp_number: "+2250700000123", city: "Abidjan" };
    const { status, json } = await api(sandbox, "POST /customers", {
      body: { ...fields, is_business: true, metadata: { vip: "yes" } },
    });
    expect(status).toBe(201);
    customerSchema.parse(json);
    expect(json).toMatchObject({ ...fields, country: null, is_business: true, metadata: { vip: "yes" } });
    expect((await api(sandbox, `GET /customers/${json.customer_id}`)).json).toEqual(json);
    await sandbox.control.advanceClock(1000);
    const changed = await api(sandbox, `PATCH /customers/${json.customer_id}`, { body: { country: "CI" } });
    expect(changed.json).toMatchObject({ ...fields, country: "CI", is_business: true, metadata: { vip: "yes" } });
    expect(changed.json.updated_at > json.updated_at).toBe(true);
  });

  it("fields that a customer does not have are null", async () => {
    const sandbox = await openSandbox();
    const { email, phone_number, postal_code, is_business, metadata } = await create(sandbox, { name: "Awa" });
    expect([email, phone_number, postal_code, is_business, metadata]).toEqual([null, null, null, null, null]);
  });

  it("a customer needs a name and no empty texts", async () => {
    const sandbox = await openSandbox();
    for (const [body, field] of [
      [{}, "name"],
      [{ name: "" }, "name"],
      [{ name: "Awa", city: "" }, "city"],
      [{ name: "Awa", email: "awa" }, "email"],
      [{ name: "Awa", is_business: 1 }, "is_business"],
    ] as const) {
      const { json } = await api(sandbox, "POST /customers", { body });
      expect([body, json.error.code, Object.keys(json.error.details)]).toEqual([body, "validation_failed", [field]]);
    }
  });

  it("customers are found by name or e-mail in any case and alphabet, and search has no wildcards", async () => {
    const sandbox = await openSandbox();
    await create(sandbox, { name: "Élodie N'Guessan", email: "elodie@example.test" });
    await create(sandbox, { name: "Moussa 100%_Ba" });
    expect(await namesFound(sandbox, "search=ÉLODIE")).toEqual(["Élodie N'Guessan"]);
    expect(await namesFound(sandbox, "search=LODIE@EX")).toEqual(["Élodie N'Guessan"]);
    expect(await namesFound(sandbox, "search=100%25_b")).toEqual(["Moussa 100%_Ba"]);
    expect(await namesFound(sandbox, "search=M%25a")).toEqual([]);
    const { json } = await api(sandbox, "GET /customers?search=moussa");
    await api(sandbox, `PATCH /customers/${json.data[0].customer_id}`, { body: { name: "Issa" } });
    expect(await namesFound(sandbox, "search=moussa")).toEqual([]);
    expect(await namesFound(sandbox, "search=issa")).toEqual(["Issa"]);
  });

  it("customers are filtered by type and by payment status, page by page", async () => {
    const sandbox = await openSandbox();
    await create(sandbox, { name: "Shop", is_business: true });
    await create(sandbox, { name: "Person", is_business: false });
    await create(sandbox, { name: "Somebody" });
    await moveMoney(sandbox, "/charge/wave", mobileCharge);
    expect(await namesFound(sandbox, "type=business")).toEqual(["Shop"]);
    expect(await namesFound(sandbox, "type=individual")).toEqual(["Awa Diop", "Somebody", "Person"]);
    expect(await namesFound(sandbox, "status=active")).toEqual(["Awa Diop"]);
    expect(await namesFound(sandbox, "status=inactive&type=all")).toEqual(["Somebody", "Person", "Shop"]);
    const first = (await api(sandbox, "GET /customers?limit=3")).json;
    expect(first).toMatchObject({ has_more: true, total_count: 4 });
    expect(await namesFound(sandbox, `limit=3&cursor=${first.next_cursor}`)).toEqual(["Shop"]);
    expect((await api(sandbox, "GET /customers?type=company")).json.error.code).toBe("validation_failed");
  });

  it("the transactions of a customer are a bare array, newest first", async () => {
    const sandbox = await openSandbox();
    const { customer_id } = await create(sandbox, { name: "Awa" });
    const first = await payNewSession(sandbox, { customer_id });
    const second = await payNewSession(sandbox, { customer_id });
    await payNewSession(sandbox);
    const { json } = await api(sandbox, `GET /customers/${customer_id}/transactions`);
    transactionSchema.array().parse(json);
    expect(json.map((row: Json) => row.transaction_id)).toEqual([second.transaction_id, first.transaction_id]);
  });

  it("a customer is 404 for other merchants and environments", async () => {
    const sandbox = await openSandbox();
    const { customer_id } = await create(sandbox, { name: "Awa" });
    const other = await sandbox.control.createOrganization("Other");
    for (const key of [sandbox.keys.live.secret, other.keys.test.secret]) {
      for (const route of [`GET /customers/${customer_id}`, `GET /customers/${customer_id}/transactions`]) {
        const { status, json } = await api(sandbox, route, { key });
        expect([status, json.error.message]).toEqual([404, "Customer not found"]);
      }
      expect((await api(sandbox, `PATCH /customers/${customer_id}`, { key, body: { name: "Eve" } })).status).toBe(404);
      expect((await api(sandbox, "GET /customers", { key })).json.total_count).toBe(0);
    }
  });
});
