import { readFile } from "node:fs/promises";
import { EVENT_NAMES } from "@tillkit/client/webhooks";
import { describe, expect, it } from "vitest";
import { customFormats, openContract, Validator } from "./open-contract.ts";
import { delegatedPayment, openNetwork } from "./open-network.ts";
import { api, control, type Json, newEndpoint, openReceiver, openSandbox } from "./open-sandbox.ts";
import { moveMoney, payNewSession } from "./payments.ts";

const file = await readFile(new URL("vectors/events.json", import.meta.url), "utf8");
const { events } = JSON.parse(file) as { events: { event: string; body: Json }[] };

/** How the body of an event violates the published contract; undefined when it does not. */
function problemOf(document: Json, body: Json): Json {
  const { schema } = document.webhooks[body.event].post.requestBody.content["application/json"];
  const response = { description: "An event", content: { "application/json": { schema } } };
  const { schemas } = document.components;
  const specification = structuredClone({ responses: { 200: response }, components: { schemas } });
  return new Validator({ ...specification, customFormats }).validateResponse(200, body);
}

describe("the events of the published contract", () => {
  it("the contract describes the fourteen events with their signature and without a security scheme", async () => {
    const { document } = await openContract(await openSandbox());
    expect(Object.keys(document.webhooks)).toEqual([...EVENT_NAMES]);
    expect(EVENT_NAMES).toHaveLength(14);
    for (const { post } of Object.values<Json>(document.webhooks)) {
      expect(post.security).toEqual([]);
      expect(post.parameters[0]).toMatchObject({ name: "X-Service-Signature", in: "header", required: true });
    }
  });

  it.each(EVENT_NAMES)(
    "the test vector of %s matches the published contract, and a broken copy does not",
    async (name) => {
      const { document } = await openContract(await openSandbox());
      const body = events.find(({ event }) => event === name)?.body;
      expect(problemOf(document, body)).toBeUndefined();
      for (const broken of [
        { ...body, timestamp: "yesterday" },
        { ...body, data: {} },
        { ...body, id: 7 },
      ]) {
        expect(problemOf(document, broken)).toBeDefined();
      }
    },
  );

  it("the events that the sandbox sends match the published contract, also for Operators and with thin events", async () => {
    const sandbox = await openSandbox();
    const { document } = await openContract(sandbox);
    const receiver = await openReceiver();
    await newEndpoint(sandbox, receiver.url, { authorized_events: EVENT_NAMES });
    const { transaction_id } = await payNewSession(sandbox);
    await moveMoney(sandbox, "/refunds", { transaction_id, amount: 100 });
    const { dispute_id } = (await control(sandbox, "POST /disputes", { transaction_id })).json;
    await control(sandbox, `PATCH /disputes/${dispute_id}`, { evidence: { receipt: "R-7" } });
    await control(sandbox, `POST /disputes/${dispute_id}/close`, { outcome: "won" });
    const { subscription_id } = (await control(sandbox, "POST /subscriptions", {})).json;
    await control(sandbox, `PATCH /subscriptions/${subscription_id}`, { plan_name: "Basic" });
    await control(sandbox, `POST /subscriptions/${subscription_id}/renew`, { outcome: "failed" });
    await control(sandbox, `POST /subscriptions/${subscription_id}/renew`);
    await control(sandbox, `POST /subscriptions/${subscription_id}/expire`);
    const network = await openNetwork(sandbox);
    await newEndpoint(sandbox, receiver.url, {}, network.operator.keys.test.secret);
    await delegatedPayment(sandbox, network);
    await sandbox.control.changeSettings({ thinEvents: "bare" });
    const { id } = (await api(sandbox, "GET /webhooks")).json[0];
    await api(sandbox, `POST /webhooks/${id}/test`);
    await payNewSession(sandbox);
    const received = await receiver.waitFor(18);
    const sentNames = new Set(received.map(({ body }) => JSON.parse(body).event));
    // No refund failed.
    expect(sentNames).toEqual(new Set(EVENT_NAMES.filter((name) => name !== "REFUND_FAILED")));
    for (const { body } of received) expect([body, problemOf(document, JSON.parse(body))]).toEqual([body, undefined]);
  });
});

describe("formats of the published contract", () => {
  it("ids are UUIDs or have their prefix, limits have a maximum, and flags are booleans", async () => {
    const { document } = await openContract(await openSandbox());
    const schemaOf = (path: string, name: string, method = "get") =>
      document.paths[path][method].parameters.find((parameter: Json) => parameter.name === name).schema;
    for (const path of ["/checkout-sessions/{id}", "/refunds/{id}", "/customers/{id}", "/webhook-delivery-logs/{id}"]) {
      expect([path, schemaOf(path, "id")]).toEqual([path, { type: "string", format: "uuid" }]);
    }
    expect(schemaOf("/webhooks/{id}/logs", "id")).toEqual({ type: "string", pattern: "^wh_" });
    expect(schemaOf("/webhooks/{webhook_id}/logs/{log_id}/retry", "log_id", "post").format).toBe("uuid");
    expect(schemaOf("/transactions/{id}", "id").anyOf).toHaveLength(2);
    for (const path of ["/webhooks/{id}/logs", "/transactions", "/refunds", "/customers"]) {
      expect(schemaOf(path, "limit")).toEqual({ type: "integer", minimum: 1, maximum: 100 });
    }
    expect(schemaOf("/webhooks/{id}/logs", "success")).toEqual({ type: "boolean" });
    expect(schemaOf("/webhooks/{id}/logs", "failed")).toEqual({ type: "boolean" });
    expect(schemaOf("/transactions", "isPos")).toEqual({ type: "boolean" });
    const { Transaction, CheckoutSession, CheckoutSessionRequest } = document.components.schemas;
    for (const name of ["customer_id", "subscription_id", "checkout_session_id"]) {
      expect(Transaction.properties[name]).toEqual({ type: ["string", "null"], format: "uuid" });
    }
    expect(CheckoutSession.properties.success_url.format).toBe("uri");
    expect(CheckoutSessionRequest.properties.metadata.maxProperties).toBe(50);
  });
});
