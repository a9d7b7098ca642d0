import { describe, expect, it } from "vitest";
import { anId, aTime, expectInvalid, expectRefusal } from "../answer.ts";
import { unknownId } from "../operations.ts";
import { type Send, startService } from "../service.ts";
import { expectStatus, openSession, paidSession, pay } from "../steps.ts";

describe("Customers", () => {
  const service = startService();
  const create = async (call: Send, body: object = {}) =>
    expectStatus(await call("POST /customers", { body: { name: "Awa Diop", ...body } }), 201);
  const params = (id: string) => ({ params: { id } });

  it("a customer is created with every field and read back", async () => {
    const shop = await service.merchant();
    const fields = {
      name: "Awa Diop",
      email: "awa@example.test",
      phone_number: "+2250700000000",
      whatsapp_number: "+2250700000001",
      country: "CI",
      city: "Abidjan",
      address: "12 rue du Commerce",
      postal_code: "01 BP 1",
      is_business: true,
      metadata: { vip: "yes" },
    };
    const customer = await create(shop.call, fields);
    expect(customer.body).toMatchObject({
      ...fields,
      customer_id: anId,
      public_id: expect.stringMatching(/^cus_/),
      organization_id: shop.organizationId,
      environment: "test",
      created_at: aTime,
      updated_at: aTime,
    });
    const read = await shop.call("GET /customers/{id}", params(customer.text("customer_id")));
    expect(read.status).toBe(200);
    expect(read.body).toEqual(customer.body);
  });

  it("a customer has null in each field that was not given", async () => {
    expect((await create(service.call)).body).toMatchObject({
      email: null,
      phone_number: null,
      whatsapp_number: null,
      country: null,
      city: null,
      address: null,
      postal_code: null,
    });
  });

  it("a customer needs a name", async () => {
    expectInvalid(await service.call("POST /customers", { body: { email: "awa@example.test" } }), "name");
  });

  it.each([
    ["name", 5],
    ["email", "awa"],
    ["phone_number", 5],
    ["is_business", "yes"],
    ["metadata", "vip"],
  ])("a customer with %s %j gives 400 validation_failed, on creation and on update", async (field, value) => {
    expectInvalid(await service.call("POST /customers", { body: { name: "Awa", [field]: value } }), field);
    const byId = params((await create(service.call)).text("customer_id"));
    expectInvalid(await service.call("PATCH /customers/{id}", { ...byId, body: { [field]: value } }), field);
  });

  it("an update of a customer changes only the fields that it names", async () => {
    const customer = await create(service.call, { email: "awa@example.test", city: "Abidjan" });
    const byId = params(customer.text("customer_id"));
    const updated = await service.call("PATCH /customers/{id}", { ...byId, body: { city: "Dakar" } });
    expect(updated.status).toBe(200);
    expect(updated.body).toMatchObject({ name: "Awa Diop", email: "awa@example.test", city: "Dakar" });
    expect((await service.call("GET /customers/{id}", byId)).body).toEqual(updated.body);
    expect((await service.call("PATCH /customers/{id}", { ...byId, body: {} })).status).toBe(200);
  });

  it("the customer search finds names and e-mail addresses in any case", async () => {
    const shop = await service.merchant();
    const awa = (await create(shop.call, { email: "first@example.test" })).text("customer_id");
    const moussa = (await create(shop.call, { name: "Moussa Ba", email: "second@example.test" })).text("customer_id");
    const search = async (text: string) =>
      (await shop.call("GET /customers", { query: { search: text } })).rows("data").map((row) => row.customer_id);
    expect(await search("diop")).toEqual([awa]);
    expect(await search("SECOND@")).toEqual([moussa]);
    expect(await search("example.test")).toEqual([moussa, awa]);
    expect(await search("%")).toEqual([]);
    expect(await search("nobody")).toEqual([]);
  });

  it("the type of the customer list selects businesses or individuals", async () => {
    const shop = await service.merchant();
    const business = (await create(shop.call, { is_business: true })).text("customer_id");
    const individual = (await create(shop.call)).text("customer_id");
    const ids = async (type: string) =>
      (await shop.call("GET /customers", { query: { type } })).rows("data").map((row) => row.customer_id);
    expect(await ids("business")).toEqual([business]);
    expect(await ids("individual")).toEqual([individual]);
    expect(await ids("all")).toEqual([individual, business]);
  });

  it("the status active selects the customers that have a transaction", async () => {
    const shop = await service.merchant();
    const idle = (await create(shop.call)).text("customer_id");
    const payer = (await create(shop.call, { email: "payer@example.test" })).text("customer_id");
    await paidSession(service, shop.call, { customer_id: payer });
    const ids = async (status: string) =>
      new Set((await shop.call("GET /customers", { query: { status } })).rows("data").map((row) => row.customer_id));
    expect(await ids("active")).toEqual(new Set([payer]));
    expect(await ids("inactive")).toEqual(new Set([idle]));
    expect(await ids("all")).toEqual(new Set([idle, payer]));
  });

  it("a customer's transactions are a bare array, newest first", async () => {
    const shop = await service.merchant();
    const customer_id = (await create(shop.call)).text("customer_id");
    const first = await paidSession(service, shop.call, { customer_id });
    await service.advance(1000);
    const second = await paidSession(service, shop.call, { customer_id });
    await pay(service, (await openSession(shop.call)).text("id"));
    const answer = await shop.call("GET /customers/{id}/transactions", params(customer_id));
    expect(answer.status).toBe(200);
    expect(answer.rows().map((row) => row.transaction_id)).toEqual([second.transactionId, first.transactionId]);
  });

  it("unknown customers and customers of other organizations give 404 not_found", async () => {
    const shop = await service.merchant();
    const otherCustomer = (await create(shop.call)).text("customer_id");
    for (const id of [otherCustomer, unknownId]) {
      const answers = [
        await service.call("GET /customers/{id}", params(id)),
        await service.call("PATCH /customers/{id}", { ...params(id), body: { city: "Dakar" } }),
        await service.call("GET /customers/{id}/transactions", params(id)),
      ];
      for (const answer of answers) expectRefusal(answer, 404, "not_found", / not found$/);
    }
    expectRefusal(await shop.live("GET /customers/{id}", params(otherCustomer)), 404, "not_found");
  });
});
