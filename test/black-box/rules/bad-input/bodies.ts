import { describe, expect, it } from "vitest";
import { fullBodies, oddValues } from "../../odd-input.ts";
import { startService } from "../../service.ts";
import { createResources } from "./existing-resources.ts";
import { expectNoServerError, operationsWithBody, readOperations } from "./odd-requests.ts";

describe("A bad body gives the error object: no 500, no stack trace", () => {
  const service = startService({ settings: { ratePolicy: "off" } });
  const { ids, paramsOf } = createResources(service);

  it.each(operationsWithBody)("%s answers no 500 when a field is wrong or missing", async (operation) => {
    const existingIds = operation === "POST /refunds" ? { transaction_id: ids().transaction } : {};
    const validBody = { ...fullBodies[operation], ...existingIds };
    const params = paramsOf(operation);
    for (const field of Object.keys(validBody)) {
      for (const value of [undefined, ...oddValues]) {
        const body = { ...validBody, [field]: value };
        expectNoServerError(operation, await service.call(operation, { params, body }), body);
      }
    }
  });

  it.each(operationsWithBody)("%s answers no 500 to a malformed body", async (operation) => {
    const params = paramsOf(operation);
    const otherBodies = [
      ...oddValues.map((value) => JSON.stringify(value)),
      "",
      "{",
      "}",
      "[[[[",
      '{"a":1}{"b":2}',
      '{"amount":1,"amount":2}',
      "\ufeff{}",
      "undefined",
      "Infinity",
      "-",
      `{"__proto__":{"amount":5000},"constructor":{"prototype":{}},"amount":1e999}`,
      `${"[".repeat(50_000)}${"]".repeat(50_000)}`,
      `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`,
    ];
    for (const raw of otherBodies) expectNoServerError(operation, await service.call(operation, { params, raw }), raw);
    const notText = Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
    expectNoServerError(operation, await service.call(operation, { params, raw: notText }), "bytes that are not UTF-8");
  });

  it.each(operationsWithBody)("%s answers no 500 to nested metadata with values of every kind", async (operation) => {
    const params = paramsOf(operation);
    const deep = JSON.parse(`${'{"a":'.repeat(500)}1${"}".repeat(500)}`);
    for (const metadata of [
      deep,
      Object.fromEntries(oddValues.map((value, index) => [`k${index}`, value])),
      { "": "" },
    ]) {
      const body = { ...fullBodies[operation], metadata };
      expectNoServerError(operation, await service.call(operation, { params, body }), "metadata");
    }
  });

  it("every value that the service accepted in a body can be read again", async () => {
    for (const operation of readOperations.filter((candidate) => !candidate.includes("{"))) {
      expect((await service.call(operation, { query: { limit: 100 } })).status, operation).toBe(200);
    }
    const { session, customer, webhook } = ids();
    expect((await service.call("GET /checkout-sessions/{id}", { params: { id: session } })).status).toBe(200);
    expect((await service.call("GET /customers/{id}", { params: { id: customer } })).status).toBe(200);
    expect((await service.call("GET /webhooks/{id}", { params: { id: webhook } })).status).toBe(200);
  });
});
