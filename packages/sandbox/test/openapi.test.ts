import { endpoints, type OperationId } from "@tillkit/client/endpoints";
import { describe, expect, it } from "vitest";
import { openContract } from "./open-contract.ts";
import { delegatedPayment, openNetwork } from "./open-network.ts";
import {
  api,
  control,
  eventually,
  newSession,
  openReceiver,
  openSandbox,
  order,
  paymentEvents,
} from "./open-sandbox.ts";

const documentedIds = (Object.keys(endpoints) as OperationId[]).filter((id) => endpoints[id].isDocumented);
const unknownId = "00000000-0000-4000-8000-000000000000";
/** The options of a call under this Idempotency-Key. */
const withKey = (key: string, more: Record<string, string> = {}) => ({ headers: { "Idempotency-Key": key, ...more } });
const payer = { name: "Awa Diop", phoneNumber: "+2250700000000" };

describe("the published contract", () => {
  it("the contract contains exactly the documented rows of the endpoint table with their operation ids", async () => {
    const sandbox = await openSandbox();
    const { document } = await openContract(sandbox);
    expect([document.openapi, document.info.version]).toEqual(["3.1.0", "1.2.0"]);
    expect(document.servers[0].url).toBe(sandbox.baseUrl);
    const rows = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations as Record<string, { operationId: string }>).map(([method, { operationId }]) => [
        operationId,
        `${method.toUpperCase()} ${path}`,
      ]),
    );
    expect(Object.fromEntries(rows)).toEqual(
      Object.fromEntries(documentedIds.map((id) => [id, `${endpoints[id].method} ${endpoints[id].path}`])),
    );
    expect(Object.keys(document.paths)).not.toContain("/accounts");
  });

  it("the contract lists headers and security schemes of each operation", async () => {
    const { document } = await openContract(await openSandbox());
    const names = (path: string, method: string) =>
      document.paths[path][method].parameters.map(
        ({ name, required = false }: { name: string; required?: boolean }) => [name, required],
      );
    expect(names("/charge/wave", "post")).toEqual([
      ["Idempotency-Key", true],
      ["Service-Account", false],
      ["X-Scenario-Key", false],
      ["Service-Version", false],
    ]);
    expect(names("/webhooks/{webhook_id}/logs/{log_id}/retry", "post")).toEqual([
      ["webhook_id", true],
      ["log_id", true],
      ["Service-Version", false],
    ]);
    expect(names("/checkout-sessions", "post")).toContainEqual(["Idempotency-Key", false]);
    const schemes = Object.keys(document.components.securitySchemes);
    expect(document.security).toEqual(schemes.map((scheme) => ({ [scheme]: [] })));
  });

  it("the contract describes amounts as positive integers and URLs with the format uri", async () => {
    const { document } = await openContract(await openSandbox());
    const { properties } = document.components.schemas.CheckoutSessionRequest;
    expect(properties.amount).toEqual({ type: "integer", minimum: 1 });
    expect(properties.success_url).toEqual({ type: "string", format: "uri" });
  });

  it("every documented operation and its usual errors match the contract", async () => {
    const sandbox = await openSandbox({ settings: { confirmation: "off" } });
    const { call, succeeded } = await openContract(sandbox);

    const session = (await call("CheckoutSessionsController_create", { body: order, ...withKey("session") })).json;
    await call("CheckoutSessionsController_create", { body: order, ...withKey("session") });
    await call("CheckoutSessionsController_create", { body: { ...order, amount: 1 }, ...withKey("session") });
    await call("CheckoutSessionsController_findOne", { params: { id: session.id } });
    const paid = await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    await call("CheckoutSessionsController_findOne", { params: { id: session.id } });
    await call("CheckoutSessionsController_findOne", { params: { id: unknownId } });
    await call("CheckoutSessionsController_findOne", { params: { id: session.id }, key: null });

    const card = { amount: 5000, currency_code: "XOF", customer_email: "awa@example.test", customer_name: "Awa" };
    const { id: chargeId } = (await call("ChargesController_card", { body: card, ...withKey("card") })).json.data;
    await call("ChargesController_findCard", { params: { id: chargeId } });
    await control(sandbox, `POST /card-charges/${chargeId}/confirm`, { number: "4242424242424242" });
    await call("ChargesController_findCard", { params: { id: chargeId } });
    const mobile = { amount: 5000, currency: "XOF", customer: payer };
    await call("ChargesController_wave", { body: mobile, ...withKey("wave") });
    await call("ChargesController_wave", { body: mobile, ...withKey("pending", { "X-Scenario-Key": "pending" }) });
    await call("ChargesController_wave", { body: mobile, ...withKey("failed", { "X-Scenario-Key": "failed" }) });
    await call("ChargesController_mtn", { body: mobile, ...withKey("mtn") });
    await call("ChargesController_mtn", { body: mobile });
    expect((await call("ChargesController_switch", { body: {} })).status).toBe(503);

    const refund = { transaction_id: paid.transaction_id, amount: 1000 };
    const refunded = (await call("RefundsController_create", { body: refund, ...withKey("refund") })).json;
    await call("RefundsController_create", { body: { ...refund, amount: 99_000 }, ...withKey("too much") });
    await call("RefundsController_findAll");
    await call("RefundsController_findOne", { params: { id: refunded.refund_id } });
    await call("TransactionsController_findAll", { query: "?limit=2&status=completed" });
    await call("TransactionsController_findAll", { query: "?cursor=nothing" });
    await call("TransactionsController_findOne", { params: { id: String(paid.transaction_id) } });

    await call("PaymentRequestsController_create", {
      body: { amount: 5000, currency_code: "XOF", expiry_date: "2099-01-01T00:00:00.000Z" },
      ...withKey("request"),
    });
    const payout = {
      destination: "self",
      rail: "bank",
      amount: 1000,
      currency_code: "XOF",
      payout_method_id: unknownId,
    };
    const paidOut = (await call("PayoutsController_create", { body: payout, ...withKey("payout") })).json;
    await call("PayoutsController_create", { body: { ...payout, rail: "wave" }, ...withKey("wave payout") });
    await call("SettlementsController_instant", {
      body: { mode: "rail", amount: 1000, currency_code: "XOF", payout_id: paidOut.payout_id },
      ...withKey("settlement"),
    });
    await sandbox.control.changeSettings({ confirmation: "required" });
    const preview = await call("PayoutsController_create", { body: payout, ...withKey("preview") });
    expect([preview.status, preview.json.requires_confirmation]).toEqual([200, true]);

    const customer = (await call("CustomersController_create", { body: { name: "Awa", metadata: { a: 1 } } })).json;
    const params = { id: customer.customer_id };
    await call("CustomersController_create", { body: {} });
    await call("CustomersController_update", { params, body: { city: "Dakar" } });
    await call("CustomersController_findAll", { query: "?search=awa" });
    await call("CustomersController_findOne", { params });
    await call("CustomersController_findTransactions", { params: { id: String(paid.customer_id) } });

    await call("AccountsController_findBalance");
    const [organization] = (await call("OrganizationsController_findAll")).json;
    await call("OrganizationsController_findOne", { params: { id: organization.organization_id } });
    await call("MerchantsController_findOne", { params: { id: organization.merchant_id } });
    await call("MerchantsController_findOne", { params: { id: unknownId } });
    await call("ProvidersController_findAll");

    const receiver = await openReceiver();
    const endpoint = (
      await call("WebhooksController_create", { body: { url: receiver.url, authorized_events: paymentEvents } })
    ).json;
    const webhook = { id: endpoint.id };
    await call("WebhooksController_findAll");
    await call("WebhooksController_findOne", { params: webhook });
    await call("WebhooksController_update", { params: webhook, body: { rotate_secret: true } });
    await call("WebhooksController_test", { params: webhook });
    receiver.respondWith(404);
    await call("WebhooksController_test", { params: webhook });
    const [log] = (await call("WebhooksController_findLogs", { params: webhook })).json;
    await call("WebhookDeliveryLogsController_findOne", { params: { id: log.id } });
    const opened = await newSession(sandbox);
    await sandbox.control.paySession(opened.id, { method: "wave", outcome: "completed" });
    const isFailed = ({ event, state }: { event: string; state: string }) =>
      event === "PAYMENT_SUCCEEDED" && state === "failed";
    await eventually(async () => (await sandbox.control.listDeliveries()).some(isFailed));
    receiver.respondWith(200);
    const logs = (await call("WebhooksController_findLogs", { params: webhook, query: "?failed=true" })).json;
    const failed = logs.find(({ event_type }: { event_type: string }) => event_type === "PAYMENT_SUCCEEDED");
    await call("WebhooksController_retryLog", { params: { webhook_id: endpoint.id, log_id: failed.id } });
    await call("WebhooksController_retryLog", { params: { webhook_id: endpoint.id, log_id: unknownId } });
    await call("WebhooksController_remove", { params: webhook });
    await call("WebhooksController_findOne", { params: webhook });

    const neverSucceeds = "ChargesController_switch";
    expect([...succeeded].sort()).toEqual(documentedIds.filter((id) => id !== neverSucceeds).sort());
  });

  it("a response with a missing field, another type or an extra field violates the contract", async () => {
    const sandbox = await openSandbox();
    const { call } = await openContract(sandbox);
    const session = await newSession(sandbox);
    const { transaction_id } = await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    const read = () => call("TransactionsController_findOne", { params: { id: String(transaction_id) } });
    await read();
    for (const patch of [{ gross_amount: null }, { gross_amount: "25000" }, { risk: 3 }, { created_at: "yesterday" }]) {
      await sandbox.control.addFault({ method: "GET", path: "/transactions/{id}", patch });
      await expect(read()).rejects.toThrow("TransactionsController_findOne 200");
    }
    await sandbox.control.addFault({ method: "GET", path: "/transactions/{id}", status: 504 });
    await expect(read()).rejects.toThrow("504, which the contract does not know");
  });

  it("responses to an Operator match the contract", async () => {
    const sandbox = await openSandbox();
    const { call } = await openContract(sandbox);
    const network = await openNetwork(sandbox);
    const headers = { "Service-Account": network.member.account };
    const key = network.operator.keys.test.secret;
    const { transaction_id } = await delegatedPayment(sandbox, network);
    const session = (await call("CheckoutSessionsController_create", { key, headers, body: order })).json;
    await call("CheckoutSessionsController_findOne", { key, params: { id: session.id } });
    await call("CheckoutSessionsController_findOne", { key, headers, params: { id: session.id } });
    await call("TransactionsController_findOne", { key, headers, params: { id: String(transaction_id) } });
    await call("CustomersController_create", { key, headers, body: { name: "Awa" } });
    await network.grant();
    await call("TransactionsController_findAll", { key, headers });
    await call("TransactionsController_findAll", { key, headers: { "Service-Account": "acct_none" } });
  });

  it("a 429 response matches the contract", async () => {
    const sandbox = await openSandbox({ settings: { ratePolicy: "B" } });
    const { call } = await openContract(sandbox);
    // Policy B allows 120 writes a minute.
    for (let count = 0; count < 120; count++) await api(sandbox, "POST /charge/switch");
    const refused = await call("CheckoutSessionsController_create", { body: order });
    expect(refused.status).toBe(429);
  });
});
