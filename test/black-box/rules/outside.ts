import { describe, expect, it } from "vitest";
import { expectInvalid, expectRefusal } from "../answer.ts";
import { endpoints, type Operation, unknownId } from "../operations.ts";
import { startService } from "../service.ts";

/** Routes that may exist at the service, but are not part of its documented API. */
const undocumented: readonly Operation[] = [
  "GET /me",
  "GET /checkout-sessions",
  "GET /payment-requests",
  `GET /payment-requests/${unknownId}`,
  "GET /payouts",
  `GET /payouts/${unknownId}`,
  "GET /settlements",
  "GET /settlements/instant",
  `DELETE /customers/${unknownId}`,
  "GET /customers/top",
  "GET /accounts/balance/breakdown",
  "POST /charge/card/pi_22222222222222/cancel",
  "POST /charge/card/pi_22222222222222/capture",
  "POST /charge/card/pi_22222222222222/increment",
  "POST /transfers",
  "POST /account-sessions",
  "POST /login-links",
  "GET /products",
  "GET /prices",
  "GET /coupons",
  "GET /payment-links",
  "GET /invoices",
  "GET /exports",
  "GET /disputes",
  "GET /logs",
  "GET /meters",
  "GET /usage",
  "GET /api-keys",
  "GET /team",
  "GET /settings",
  "GET /risk-assessments",
  "GET /support-requests",
  "GET /subscriptions",
];

describe("Routes and events outside the service's API", () => {
  const service = startService();

  it.each(undocumented)("%s gives 404 not_found", async (operation) => {
    expectRefusal(await service.call(operation, operation.startsWith("POST") ? { body: {} } : {}), 404, "not_found");
  });

  it.each([
    "PAYOUT_COMPLETED",
    "NETWORK_MEMBERSHIP_ACTIVATED",
    "USAGE_RECORDED",
    "PAYMENT_RISK_FLAGGED",
    "PURCHASE_FULFILLED",
  ])("the event %s cannot be subscribed to", async (event) => {
    const body = { url: "http://127.0.0.1:9/hooks", authorized_events: [event] };
    expectInvalid(await service.call("POST /webhooks", { body }), "authorized_events");
  });

  it("the control API is never under the service's own paths", async () => {
    const { pathname } = new URL(service.controlUrl());
    expect(pathname).toBe("/sandbox");
    for (const { operation } of endpoints) expect(operation).not.toContain(pathname);
    expectRefusal(await service.call("GET /clock"), 404, "not_found");
  });
});

describe("GET /openapi.json", () => {
  const service = startService();
  const read = async (): Promise<Document> => readJson(`${service.baseUrl()}/openapi.json`);

  it("the specification is an OpenAPI 3.1 document of version 1.2.0", async () => {
    const document = await read();
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe("1.2.0");
  });

  it("the specification contains exactly the published endpoints, without a version prefix", async () => {
    const { paths } = await read();
    const found = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => method !== "parameters")
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    const published = endpoints.filter((endpoint) => endpoint.published).map(({ operation }) => operation);
    expect(new Set(found)).toEqual(new Set(published));
  });

  it("the specification names every operation once, like the service", async () => {
    const { paths } = await read();
    expect(paths["/webhooks/{id}"]?.patch?.operationId).toBe("WebhooksController_update");
    expect(paths["/webhook-delivery-logs/{id}"]?.get?.operationId).toBe("WebhookDeliveryLogsController_findOne");
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
    );
    expect(new Set(ids).size).toBe(ids.length);
    for (const name of ids) expect(name).toMatch(/^[A-Z]\w+Controller_\w+$/);
  });

  it("the specification omits GET /accounts and GET /accounts/{id}", async () => {
    const { paths } = await read();
    expect(paths["/accounts"]).toBeUndefined();
    expect(paths["/accounts/{id}"]).toBeUndefined();
    expect(paths["/accounts/balance"]).toBeDefined();
  });
});

type Document = {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
};

async function readJson(url: string): Promise<Document> {
  return JSON.parse(await (await fetch(url)).text());
}
