import { describe, expect, test } from "vitest";
import { REQUEST_ID, resetsConnection, responds, respondsWithError, startFaultServer } from "./fault-server.ts";
import { testClient } from "./test-client.ts";

const REFUND = { success: true, refund_id: "e2a4", transaction_id: "b7e6", refunded_amount: 5000, status: "completed" };
const PREVIEW = {
  requires_confirmation: true,
  confirmation_token: "token-1",
  expires_at: "2026-03-01T10:10:00.000Z",
  preview: { amount: 5000 },
};
const BODY = { transaction_id: "b7e6d1c0-0c0f-4e55-a1f2-1d2c3b4a5f60", amount: 5000 };
const keyOption = { idempotencyKey: "refund-1" };

describe("a refund", () => {
  test("a refund without confirmation is one request", async () => {
    const service = await startFaultServer(responds(201, REFUND));
    const { client } = testClient(service.baseUrl);
    expect((await client.refunds.create(BODY, keyOption)).data).toMatchObject({ id: "e2a4", status: "completed" });
    expect(service.received).toHaveLength(1);
  });

  test.each([
    ["an object", BODY],
    ["a stored body", JSON.stringify(BODY)],
  ])(
    "a refund from %s is confirmed under the same Idempotency-Key when the service asks for a confirmation",
    async (_, body) => {
      const service = await startFaultServer(responds(200, PREVIEW), responds(201, REFUND));
      const { client } = testClient(service.baseUrl);
      expect((await client.refunds.create(body, keyOption)).data.id).toBe("e2a4");
      expect(service.received.map((request) => request.headers["idempotency-key"])).toEqual(["refund-1", "refund-1"]);
      expect(service.received.map((request) => JSON.parse(request.body))).toEqual([
        BODY,
        { ...BODY, confirmation_token: "token-1" },
      ]);
    },
  );

  test("a confirmation without a response is repeated with the same bytes", async () => {
    const service = await startFaultServer(responds(200, { data: PREVIEW }), resetsConnection, responds(201, REFUND));
    const { client } = testClient(service.baseUrl);
    await client.refunds.create(BODY, keyOption);
    expect(service.received[2]?.body).toBe(service.received[1]?.body);
    expect(service.received[2]?.headers["idempotency-key"]).toBe("refund-1");
  });

  test("a refund fails with response_unusable when its confirmation only returns another preview", async () => {
    const service = await startFaultServer(responds(200, PREVIEW));
    const { client } = testClient(service.baseUrl);
    await expect(client.refunds.create(BODY, keyOption)).rejects.toMatchObject({ code: "response_unusable" });
    expect(service.received).toHaveLength(2);
  });

  test("a refund whose response was lost is repeated under its Idempotency-Key", async () => {
    const service = await startFaultServer(
      resetsConnection,
      responds(201, REFUND, { "idempotency-cache-hit": "true" }),
    );
    const { client } = testClient(service.baseUrl);
    expect(await client.refunds.create(BODY, keyOption)).toMatchObject({ replayed: true, data: { id: "e2a4" } });
  });
});

describe("payouts, settlements and payment requests", () => {
  test("payouts and instant settlements are confirmed like refunds", async () => {
    const service = await startFaultServer(
      responds(200, PREVIEW),
      responds(201, { success: true, payout_id: "p1", kind: "withdrawal", status: "pending" }),
      responds(200, PREVIEW),
      responds(201, { instant_settlement_id: "s1", mode: "rail", fee_amount: 100, status: "completed" }),
    );
    const { client } = testClient(service.baseUrl);
    const payout = { destination: "self", rail: "bank", amount: 5000, currency_code: "XOF" } as const;
    const settlement = { mode: "advance", amount: 5000, currency_code: "XOF" } as const;
    expect((await client.payouts.create(payout, { idempotencyKey: "p" })).data).toMatchObject({ id: "p1" });
    expect((await client.settlements.instant(settlement, { idempotencyKey: "s" })).data).toMatchObject({ id: "s1" });
  });

  test("the id of a payment request is not the id of the HTTP request", async () => {
    const body = { request_id: "r1", payment_link: "https://pay.service.example/r1", status: "pending" };
    const service = await startFaultServer(responds(201, { data: body, request_id: REQUEST_ID }));
    const { client } = testClient(service.baseUrl);
    const request = { amount: 1000, currency_code: "XOF", expiry_date: "2026-12-01T00:00:00Z" } as const;
    const response = await client.paymentRequests.create(request, { idempotencyKey: "r" });
    expect(response.data.id).toBe("r1");
    expect(response.requestId).not.toBe("r1");
  });
});

describe("a direct charge", () => {
  const customer = { name: "Awa", phoneNumber: "+2250700000001" };

  test("an MTN charge is read from data, and its status is in lower case", async () => {
    const service = await startFaultServer(
      responds(201, {
        success: true,
        data: { transaction_id: "t1", reference_id: "7c9e", status: "PENDING" },
        next_action: { type: "await_webhook", status: "PENDING" },
      }),
    );
    const { client } = testClient(service.baseUrl);
    const body = { amount: 1000, currency: "XOF", customer } as const;
    const response = await client.charges.mtn(body, { idempotencyKey: "m", scenario: "pending" });
    expect(response.data).toMatchObject({
      transactionId: "t1",
      status: "pending",
      nextAction: { type: "await_webhook" },
    });
    expect(service.received[0]?.headers["x-scenario-key"]).toBe("pending");
  });

  test("a Wave charge is read from the response although its data is empty", async () => {
    const url = "https://wave.service.example/c/abc";
    const body = { transactionId: "t1", transaction_id: "t1", wave_launch_url: url, status: "pending", data: {} };
    const service = await startFaultServer(responds(201, body));
    const { client } = testClient(service.baseUrl);
    const charge = { amount: 1000, currency: "XOF", customer } as const;
    expect((await client.charges.wave(charge, { idempotencyKey: "w" })).data).toMatchObject({ launchUrl: url });
  });

  test("a card charge has the requested amount and not the converted amount", async () => {
    const data = {
      id: "pi_3Q",
      client_secret: "pi_3Q_secret_x",
      amount: 1524,
      currency: "eur",
      original_amount: 10000,
    };
    const service = await startFaultServer(
      responds(201, { success: true, data }),
      responds(200, { success: true, data }),
    );
    const { client } = testClient(service.baseUrl);
    const body = { amount: 10000, currency_code: "XOF", customer_id: "3d9d2c11-6b1e-4f6d-8f3a-7a1b2c3d4e5f" } as const;
    const response = await client.charges.card(body, { idempotencyKey: "c" });
    expect(response.data.originalAmount).toBe(10000);
    expect(response.data).not.toHaveProperty("amount");
    expect((await client.charges.readCard("pi_3Q")).data.id).toBe("pi_3Q");
  });

  test("a switch charge fails with service_unavailable and is not repeated", async () => {
    const service = await startFaultServer(respondsWithError(503, "service_unavailable"));
    const { client } = testClient(service.baseUrl);
    await expect(client.charges.switch({ amount: 1 })).rejects.toMatchObject({ code: "service_unavailable" });
    expect(service.received).toHaveLength(1);
  });
});
