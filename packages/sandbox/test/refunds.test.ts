import { refundCreatedSchema, refundSchema } from "@tillkit/client/schemas";
import { describe, expect, it } from "vitest";
import { api, control, newEndpoint, openReceiver, openSandbox } from "./open-sandbox.ts";
import { balance, cardCharge, eventNames, moveMoney, NET_OF_SESSION, payNewSession } from "./payments.ts";

describe("a refund", () => {
  it("a refund completes at once, debits the balance and is added to its transaction", async () => {
    const sandbox = await openSandbox();
    const { transaction_id } = await payNewSession(sandbox);
    const { status, json } = await moveMoney(sandbox, "/refunds", {
      transaction_id,
      amount: 5000,
      reason: "duplicate",
    });
    expect(status).toBe(201);
    refundCreatedSchema.parse(json);
    expect(json).toMatchObject({ success: true, transaction_id, refunded_amount: 5000, status: "completed" });
    const read = await api(sandbox, `GET /refunds/${json.refund_id}`);
    refundSchema.parse(read.json);
    expect(read.json).toMatchObject({ amount: 5000, refunded_amount: 5000, fee_amount: 0, reason: "duplicate" });
    expect(read.json.metadata).toEqual({ order_id: "1042" });
    const { json: transaction } = await api(sandbox, `GET /transactions/${transaction_id}`);
    expect(transaction).toMatchObject({ status: "completed", refunded_amount: 5000 });
    expect(await balance(sandbox)).toBe(NET_OF_SESSION - 5000);
    expect(await eventNames(sandbox)).toEqual([
      "PAYMENT_CREATED",
      "PAYMENT_SUCCEEDED",
      "REFUND_CREATED",
      "REFUND_COMPLETED",
    ]);
  });

  it("a full refund makes the transaction refunded and does not change the session", async () => {
    const sandbox = await openSandbox();
    const { transaction_id, checkout_session_id } = await payNewSession(sandbox);
    await moveMoney(sandbox, "/refunds", { transaction_id, amount: 10_000 });
    await moveMoney(sandbox, "/refunds", { transaction_id, amount: 15_000 });
    const { json } = await api(sandbox, `GET /transactions/${transaction_id}`);
    expect(json).toMatchObject({ status: "refunded", refunded_amount: 25_000 });
    expect((await api(sandbox, `GET /checkout-sessions/${checkout_session_id}`)).json.status).toBe("completed");
    const more = await moveMoney(sandbox, "/refunds", { transaction_id, amount: 1 });
    expect([more.status, more.json.error.code]).toEqual([409, "conflict"]);
  });

  it("completed and pending refunds together never exceed the transaction", async () => {
    const sandbox = await openSandbox({ settings: { refunds: "pending" } });
    const { transaction_id } = await payNewSession(sandbox);
    const first = await moveMoney(sandbox, "/refunds", { transaction_id, amount: 20_000 });
    expect(first.json).toMatchObject({ status: "pending", refunded_amount: 0 });
    const tooMuch = await moveMoney(sandbox, "/refunds", { transaction_id, amount: 5001 });
    expect([tooMuch.status, tooMuch.json.error.code]).toEqual([400, "amount_invalid"]);
    await control(sandbox, `POST /refunds/${first.json.refund_id}/fail`);
    expect((await moveMoney(sandbox, "/refunds", { transaction_id, amount: 25_000 })).status).toBe(201);
  });

  it("a pending refund debits the balance only when it completes", async () => {
    const sandbox = await openSandbox({ settings: { refunds: "pending" } });
    const { transaction_id } = await payNewSession(sandbox);
    const done = await moveMoney(sandbox, "/refunds", { transaction_id, amount: 1000 });
    const failed = await moveMoney(sandbox, "/refunds", { transaction_id, amount: 2000 });
    expect(await balance(sandbox)).toBe(NET_OF_SESSION);
    const completed = await control(sandbox, `POST /refunds/${done.json.refund_id}/complete`);
    expect(completed.json).toMatchObject({ status: "completed", refunded_amount: 1000 });
    const refused = await control(sandbox, `POST /refunds/${failed.json.refund_id}/fail`);
    expect(refused.json).toMatchObject({ status: "failed", failure_message: "The provider refused the refund." });
    expect(await balance(sandbox)).toBe(NET_OF_SESSION - 1000);
    expect((await eventNames(sandbox)).slice(-2)).toEqual(["REFUND_COMPLETED", "REFUND_FAILED"]);
    expect((await control(sandbox, `POST /refunds/${failed.json.refund_id}/complete`)).status).toBe(409);
  });

  it("a refund needs a completed payment of the same merchant, and a full refund needs the whole amount", async () => {
    const sandbox = await openSandbox();
    const { transaction_id } = await payNewSession(sandbox);
    const full = await moveMoney(sandbox, "/refunds", { transaction_id, amount: 24_999, refund_type: "full" });
    expect([full.status, full.json.error.code]).toEqual([400, "validation_failed"]);
    for (const [amount, code] of [
      ["5000", "validation_failed"],
      [0, "amount_invalid"],
      [10.5, "amount_invalid"],
      [-1, "amount_invalid"],
    ]) {
      const { json } = await moveMoney(sandbox, "/refunds", { transaction_id, amount });
      expect([amount, json.error.code]).toEqual([amount, code]);
    }
    const body = { transaction_id, amount: 100 };
    const live = await moveMoney(sandbox, "/refunds", body, { key: sandbox.keys.live.secret });
    expect([live.status, live.json.error.message]).toEqual([404, "Transaction not found"]);
    const { id } = (await moveMoney(sandbox, "/charge/card", cardCharge)).json.data;
    const { transaction_id: waiting } = (await api(sandbox, `GET /charge/card/${id}`)).json.data;
    expect((await moveMoney(sandbox, "/refunds", { transaction_id: waiting, amount: 100 })).status).toBe(409);
  });

  it("a refund needs an Idempotency-Key and happens once per key", async () => {
    const sandbox = await openSandbox();
    const { transaction_id } = await payNewSession(sandbox);
    const body = { transaction_id, amount: 1000 };
    const missing = await api(sandbox, "POST /refunds", { body });
    expect([missing.status, missing.json.error.code]).toEqual([400, "idempotency_key_required"]);
    const headers = { "Idempotency-Key": "refund:1042:1" };
    const answers = [];
    for (let count = 0; count < 3; count++) answers.push(await moveMoney(sandbox, "/refunds", body, { headers }));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[2]?.headers.get("idempotency-cache-hit")).toBe("true");
    expect((await api(sandbox, "GET /refunds")).json.total_count).toBe(1);
    const other = await moveMoney(sandbox, "/refunds", { ...body, amount: 2000 }, { headers });
    expect([other.status, other.json.error.code]).toEqual([409, "idempotency_key_reused"]);
  });

  it("a refund with an invalid type does not use up its Idempotency-Key", async () => {
    const sandbox = await openSandbox();
    const { transaction_id } = await payNewSession(sandbox);
    const headers = { "Idempotency-Key": "refund:1042:2" };
    await moveMoney(sandbox, "/refunds", { transaction_id, amount: 1, refund_type: "full" }, { headers });
    expect((await moveMoney(sandbox, "/refunds", { transaction_id, amount: 1 }, { headers })).status).toBe(201);
  });

  it("refunds are listed by status and time, newest first", async () => {
    const sandbox = await openSandbox();
    const { transaction_id } = await payNewSession(sandbox);
    const first = await moveMoney(sandbox, "/refunds", { transaction_id, amount: 1000 });
    await sandbox.control.advanceClock(60_000);
    await sandbox.control.changeSettings({ refunds: "pending" });
    const second = await moveMoney(sandbox, "/refunds", { transaction_id, amount: 2000 });
    const ids = async (query: string) =>
      (await api(sandbox, `GET /refunds?${query}`)).json.data.map(({ refund_id }: { refund_id: string }) => refund_id);
    expect(await ids("")).toEqual([second.json.refund_id, first.json.refund_id]);
    expect(await ids("status=pending")).toEqual([second.json.refund_id]);
    expect(await ids("status=pending,completed&limit=1")).toEqual([second.json.refund_id]);
    const { created_at } = (await api(sandbox, `GET /refunds/${second.json.refund_id}`)).json;
    expect(await ids(`startDate=${created_at}`)).toEqual([second.json.refund_id]);
    expect((await api(sandbox, "GET /refunds?endDate=soon")).status).toBe(400);
  });

  it("refund events have a fixed field order and the metadata of the payment", async () => {
    const sandbox = await openSandbox();
    const receiver = await openReceiver();
    await newEndpoint(sandbox, receiver.url, { authorized_events: ["REFUND_CREATED", "REFUND_COMPLETED"] });
    const { transaction_id, checkout_session_id } = await payNewSession(sandbox);
    await moveMoney(sandbox, "/refunds", { transaction_id, amount: 5000 });
    const bodies = (await receiver.waitFor(2)).map(({ body }) => JSON.parse(body));
    const completed = bodies.find(({ event }) => event === "REFUND_COMPLETED");
    expect(Object.keys(completed.data).join()).toBe(
      "refund_id,transaction_id,checkout_session_id,amount,refunded_amount,fee_amount,currency_code,reason,status," +
        "metadata,organization_id,environment,created_at,updated_at",
    );
    expect(completed.data).toMatchObject({ checkout_session_id, refunded_amount: 5000, status: "completed" });
    const created = bodies.find(({ event }) => event === "REFUND_CREATED");
    expect(created.data).toMatchObject({ refunded_amount: 0, status: "pending" });
  });
});

describe("the setting disputedRefunds", () => {
  it("refused: money that an open or lost dispute holds cannot be refunded, and a won dispute gives it back", async () => {
    const sandbox = await openSandbox({ settings: { disputedRefunds: "refused" } });
    const { transaction_id } = await payNewSession(sandbox);
    const { dispute_id } = await sandbox.control.createDispute({ transaction_id, amount: 20_000 });
    const refund = (amount: number) => moveMoney(sandbox, "/refunds", { transaction_id, amount });
    const refused = await refund(5001);
    expect([refused.status, refused.json.error.code]).toEqual([409, "conflict"]);
    expect(refused.json.error.details).toEqual({ transaction_id, disputed_amount: 20_000 });
    expect((await refund(5000)).status).toBe(201);
    await sandbox.control.closeDispute(String(dispute_id), { outcome: null });
    expect((await refund(1)).status).toBe(409);
    await sandbox.control.closeDispute(String(dispute_id), { outcome: "won" });
    expect((await refund(20_000)).status).toBe(201);
  });

  it.each([{ amount: null }, { amount: 100, currency_code: "EUR" }] as const)(
    "refused: a dispute with %j holds the whole payment",
    async (fields) => {
      const sandbox = await openSandbox({ settings: { disputedRefunds: "refused" } });
      const { transaction_id } = await payNewSession(sandbox);
      await sandbox.control.createDispute({ transaction_id, ...fields });
      expect((await moveMoney(sandbox, "/refunds", { transaction_id, amount: 1 })).status).toBe(409);
    },
  );
});

describe("the setting refundReason", () => {
  it.each([
    [{}, "TKSab: été"],
    [{ refundReasonLength: 9 }, "TKSab: ét"],
    [{ refundReason: "uppercased" }, "TKSAB: ÉTÉ"],
    [{ refundReason: "dropped" }, null],
    [{ refundReason: "replaced" }, "requested_by_customer"],
  ] as const)("with %j a refund is read and reported with this reason", async (settings, reason) => {
    const sandbox = await openSandbox({ settings });
    const { transaction_id } = await payNewSession(sandbox);
    const body = { transaction_id, amount: 100, reason: "TKSab: été" };
    const { refund_id } = (await moveMoney(sandbox, "/refunds", body)).json;
    expect((await api(sandbox, `GET /refunds/${refund_id}`)).json.reason).toBe(reason);
    expect((await api(sandbox, "GET /refunds")).json.data[0].reason).toBe(reason);
    const [event] = await sandbox.control.listEvents();
    expect(event).toMatchObject({ event: "REFUND_COMPLETED", data: { reason } });
  });

  it("refused: free text is refused by its name, before any refund is made", async () => {
    const sandbox = await openSandbox({ settings: { refundReason: "refused" } });
    const { transaction_id } = await payNewSession(sandbox);
    const refund = (reason?: string) => moveMoney(sandbox, "/refunds", { transaction_id, amount: 100, reason });
    const refused = await refund("TKSab requested_by_customer");
    expect([refused.status, refused.json.error.code]).toEqual([400, "validation_failed"]);
    expect(Object.keys(refused.json.error.details)).toEqual(["reason"]);
    expect((await api(sandbox, "GET /refunds")).json.total_count).toBe(0);
    expect((await refund("requested_by_customer")).status).toBe(201);
    expect((await refund()).status).toBe(201);
  });
});

describe("confirmation in two steps", () => {
  it("a confirmed refund has a preview first, then moves money under the same key and is replayed", async () => {
    const sandbox = await openSandbox({ settings: { confirmation: "required" } });
    const { transaction_id } = await payNewSession(sandbox);
    const body = { transaction_id, amount: 5000 };
    const headers = { "Idempotency-Key": "refund:1" };
    const preview = await moveMoney(sandbox, "/refunds", body, { headers });
    expect([preview.status, preview.json.requires_confirmation]).toEqual([200, true]);
    expect(preview.json.preview).toEqual({ transaction_id, amount: 5000, currency_code: "XOF" });
    expect((await api(sandbox, "GET /refunds")).json.total_count).toBe(0);
    const confirmed = { ...body, confirmation_token: preview.json.confirmation_token };
    const done = await moveMoney(sandbox, "/refunds", confirmed, { headers });
    const again = await moveMoney(sandbox, "/refunds", confirmed, { headers });
    expect([done.status, again.status, again.text]).toEqual([201, 201, done.text]);
  });

  it("a confirmation token is valid once, for its refund, for ten minutes, and can be renewed under the same key", async () => {
    const sandbox = await openSandbox({ settings: { confirmation: "required" } });
    const { transaction_id } = await payNewSession(sandbox);
    const body = { transaction_id, amount: 5000 };
    const tokenFor = async () => (await moveMoney(sandbox, "/refunds", body)).json.confirmation_token;
    const expectRefused = async (fields: object, headers = {}) => {
      const { status, json } = await moveMoney(sandbox, "/refunds", { ...body, ...fields }, { headers });
      expect([status, json.error.message]).toEqual([400, "confirmation_token is invalid or expired"]);
    };
    await expectRefused({ confirmation_token: "nonsense" });
    await expectRefused({ confirmation_token: await tokenFor(), amount: 4000 });
    const used = await tokenFor();
    expect((await moveMoney(sandbox, "/refunds", { ...body, confirmation_token: used })).status).toBe(201);
    await expectRefused({ confirmation_token: used });
    const old = await tokenFor();
    await sandbox.control.advanceClock(600_000);
    const headers = { "Idempotency-Key": "late" };
    await expectRefused({ confirmation_token: old }, headers);
    const fresh = await moveMoney(sandbox, "/refunds", body, { headers });
    const confirmed = { ...body, confirmation_token: fresh.json.confirmation_token };
    expect((await moveMoney(sandbox, "/refunds", confirmed, { headers })).status).toBe(201);
  });
});
