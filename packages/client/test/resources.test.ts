import { type Endpoint, endpoints } from "@tillkit/client/endpoints";
import { operationSchemas } from "@tillkit/client/schemas";
import { describe, expect, test } from "vitest";
import { argumentsFor, methodOf, RESOURCE } from "./every-method.ts";
import { responds, startFaultServer } from "./fault-server.ts";
import { TEST_KEY, testClient } from "./test-client.ts";

test.each(Object.entries(endpoints))(
  "%s sends the request of its table row and reads the response",
  async (operation, row) => {
    const endpoint: Endpoint = row;
    const body = { one: RESOURCE, array: [RESOURCE], list: { object: "list", data: [RESOURCE] }, none: "" }[
      endpoint.response
    ];
    const service = await startFaultServer(responds(endpoint.successStatus, body));
    const { client } = testClient(service.baseUrl, { account: "acct_0123456789abcdef" });
    const takesQuery = "query" in operationSchemas[operation as keyof typeof operationSchemas];

    const { data } = await methodOf(client, endpoint)(...argumentsFor(endpoint, takesQuery));

    const sent = service.received[0];
    const path = (endpoint.versioned ? "/v1" : "") + endpoint.path.replace(/\{(\w+)\}/g, "$1-1");
    expect(sent).toMatchObject({ method: endpoint.method, url: path });
    expect(sent?.headers["x-api-key"]).toBe(TEST_KEY);
    const key = { required: "key-1", optional: expect.any(String), none: undefined }[endpoint.idempotency];
    expect(sent?.headers["idempotency-key"]).toEqual(key);
    expect(sent?.headers["service-account"]).toBe(endpoint.capabilities === null ? undefined : "acct_0123456789abcdef");
    if (endpoint.response === "list" || endpoint.response === "array")
      expect(data).toMatchObject({ received: 1, items: [{}] });
    else expect(data).toBeTypeOf("object");
  },
);

test.each(Object.entries(endpoints).filter(([, row]) => row.response !== "none"))(
  "%s rejects a response without its resource",
  async (operation, row) => {
    const endpoint: Endpoint = row;
    const service = await startFaultServer(responds(endpoint.successStatus, { message: "fine" }));
    const { client } = testClient(service.baseUrl);
    const takesQuery = "query" in operationSchemas[operation as keyof typeof operationSchemas];
    const calling = methodOf(client, endpoint)(...argumentsFor(endpoint, takesQuery));
    await expect(calling).rejects.toMatchObject({ code: "response_unusable", status: endpoint.successStatus });
  },
);

describe("the resource that a method returns", () => {
  const at = "2026-03-01T10:00:00.000Z";
  const time = Date.parse(at);
  const common = { metadata: { a: 1 }, environment: "test", created_at: at };
  const commonParsed = { metadata: { a: 1 }, environment: "test", createdAt: time };

  test.each([
    [
      "CustomersController_findOne",
      {
        customer_id: "c1",
        public_id: "cus_1",
        name: "Awa",
        phone_number: "+225",
        is_business: false,
        email: null,
        ...common,
      },
      { id: "c1", publicId: "cus_1", name: "Awa", phoneNumber: "+225", isBusiness: false, ...commonParsed },
    ],
    [
      "RefundsController_findOne",
      {
        refund_id: "r1",
        transaction_id: "t1",
        amount: 5,
        refunded_amount: 5,
        currency_code: "XOF",
        status: "pending",
        reason: "x",
        ...common,
      },
      {
        id: "r1",
        transactionId: "t1",
        amount: 5,
        refundedAmount: 5,
        currencyCode: "XOF",
        status: "pending",
        reason: "x",
        ...commonParsed,
      },
    ],
    [
      "TransactionsController_findOne",
      {
        transaction_id: "t1",
        public_id: "txn_1",
        status: "held",
        gross_amount: 100,
        fee_amount: 3,
        net_amount: 97,
        refunded_amount: 0,
        provider_code: "WAVE",
        customer_id: "c1",
        transaction_type: "payment",
        ...common,
        metadata: { checkout_session_id: "s1" },
      },
      {
        id: "t1",
        publicId: "txn_1",
        status: "held",
        grossAmount: 100,
        feeAmount: 3,
        netAmount: 97,
        refundedAmount: 0,
        providerCode: "WAVE",
        customerId: "c1",
        type: "payment",
        sessionId: "s1",
        metadata: { checkout_session_id: "s1" },
        environment: "test",
        createdAt: time,
      },
    ],
    [
      "PaymentRequestsController_create",
      {
        request_id: "q1",
        payment_link: "https://p.example/1",
        expiry_date: at,
        payment_reference: "x",
        amount: 7,
        status: "pending",
        ...common,
      },
      {
        id: "q1",
        paymentLink: "https://p.example/1",
        expiresAt: time,
        paymentReference: "x",
        amount: 7,
        status: "pending",
        ...commonParsed,
      },
    ],
    [
      "SettlementsController_instant",
      {
        instant_settlement_id: "i1",
        mode: "rail",
        amount: 100,
        fee_amount: 1,
        net_amount: 99,
        currency_code: "XOF",
        payout_id: "p1",
        status: "completed",
      },
      {
        id: "i1",
        mode: "rail",
        amount: 100,
        feeAmount: 1,
        netAmount: 99,
        currencyCode: "XOF",
        payoutId: "p1",
        status: "completed",
      },
    ],
    [
      "AccountsController_findOne",
      {
        account_id: "a1",
        organization_id: "o1",
        currency_code: "XOF",
        balance: 12,
        environment: "test",
        created_at: at,
      },
      { id: "a1", organizationId: "o1", currencyCode: "XOF", balance: 12, environment: "test", createdAt: time },
    ],
    [
      "OrganizationsController_findOne",
      {
        organization_id: "o1",
        merchant_id: "m1",
        name: "Shop",
        status: "active",
        verification_status: "verified",
        default_currency: "XOF",
        logo_url: null,
        ...common,
      },
      {
        id: "o1",
        merchantId: "m1",
        name: "Shop",
        status: "active",
        verificationStatus: "verified",
        defaultCurrency: "XOF",
        metadata: { a: 1 },
        createdAt: time,
      },
    ],
    [
      "WebhookDeliveryLogsController_findOne",
      {
        id: "l1",
        webhook_id: "wh_1",
        event_type: "PAYMENT_FAILED",
        event_id: "e1",
        payload: { event: "PAYMENT_FAILED", data: {} },
        success: false,
        attempt_number: 2,
        response_status: null,
        response_body: null,
        error: "timeout",
        request_duration_ms: 4000,
        created_at: at,
      },
      {
        id: "l1",
        webhookId: "wh_1",
        eventType: "PAYMENT_FAILED",
        eventId: "e1",
        payload: { event: "PAYMENT_FAILED", data: {} },
        success: false,
        attemptNumber: 2,
        error: "timeout",
        durationMs: 4000,
        createdAt: time,
      },
    ],
    [
      "WebhooksController_findOne",
      {
        id: "wh_1",
        url: "https://shop.example/hook",
        is_active: true,
        authorized_events: ["PAYMENT_FAILED", 7],
        ...common,
        metadata: { description: "main" },
      },
      {
        id: "wh_1",
        url: "https://shop.example/hook",
        isActive: true,
        authorizedEvents: ["PAYMENT_FAILED"],
        description: "main",
        metadata: { description: "main" },
        environment: "test",
        createdAt: time,
      },
    ],
  ] as const)("the resource of %s has exactly the fields of the response", async (operation, body, expected) => {
    const endpoint: Endpoint = endpoints[operation];
    const service = await startFaultServer(responds(endpoint.successStatus, body));
    const { client } = testClient(service.baseUrl);
    const { data } = await methodOf(client, endpoint)(...argumentsFor(endpoint, false));
    expect(data).toEqual(expected);
  });
});
