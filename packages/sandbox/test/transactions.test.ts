import { transactionSchema } from "@tillkit/client/schemas";
import { describe, expect, it } from "vitest";
import { calculateFee } from "../src/domain/fees.ts";
import { api, control, type Json, newSession, openSandbox } from "./open-sandbox.ts";

describe("transactions", () => {
  it("a transaction has amount, the fee of 2.5 % and the metadata of the merchant", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const { transaction_id } = await sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
    const { status, json } = await api(sandbox, `GET /transactions/${transaction_id}`);
    expect(status).toBe(200);
    transactionSchema.parse(json);
    expect(json).toMatchObject({
      checkout_session_id: session.id,
      transaction_type: "payment",
      status: "completed",
      description: "Order 1042",
      gross_amount: 25000,
      fee_amount: 625,
      net_amount: 24375,
      refunded_amount: 0,
      currency_code: "XOF",
      provider_code: "WAVE",
      payment_method_code: "MOBILE_MONEY",
      metadata: { order_id: "1042", checkout_session_id: session.id },
      environment: "test",
    });
    const byPublicId = await api(sandbox, `GET /transactions/${json.public_id}`);
    expect(byPublicId.json).toEqual(json);
  });

  it("the fee is rounded half up and never above the gross amount", () => {
    expect([
      calculateFee(25_000, 250),
      calculateFee(20, 250),
      calculateFee(19, 250),
      calculateFee(1, 10_000),
      calculateFee(1, 250),
    ]).toEqual([625, 1, 0, 1, 0]);
    expect(calculateFee(Number.MAX_SAFE_INTEGER, 10_000)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it("a failed transaction has a failure code and message", async () => {
    const sandbox = await openSandbox();
    const { id } = await newSession(sandbox);
    const { transaction_id } = await sandbox.control.paySession(id, { method: "card", outcome: "failed" });
    const { json } = await api(sandbox, `GET /transactions/${transaction_id}`);
    expect(json).toMatchObject({ status: "failed", failure_code: "card_declined", fee_amount: 0, net_amount: 0 });
  });

  it("a transaction of the other environment is 404, as an unknown transaction is", async () => {
    const sandbox = await openSandbox();
    const { id } = await newSession(sandbox);
    const { transaction_id } = await sandbox.control.paySession(id, { method: "wave", outcome: "completed" });
    const unknown = await api(sandbox, "GET /transactions/6f1f0a0e-6f59-4f0c-9f7a-1a6b8f1d2c33");
    expect([unknown.status, unknown.json.error.message]).toEqual([404, "Transaction not found"]);
    expect((await api(sandbox, `GET /transactions/${transaction_id}`, { key: sandbox.keys.live.secret })).status).toBe(
      404,
    );
  });

  it("the control API completes or fails a pending transaction once", async () => {
    const sandbox = await openSandbox();
    const { id } = await newSession(sandbox);
    const first = await sandbox.control.paySession(id, { method: "wave", outcome: "pending" });
    const failed = await control(sandbox, `POST /transactions/${first.transaction_id}/fail`, {
      failure_code: "timeout",
    });
    expect(failed.json).toMatchObject({ status: "failed", failure_code: "timeout" });
    const second = await sandbox.control.paySession(id, { method: "wave", outcome: "pending" });
    expect((await control(sandbox, `POST /transactions/${second.transaction_id}/complete`)).json.status).toBe(
      "completed",
    );
    for (const action of ["complete", "fail"]) {
      const { status, json } = await control(sandbox, `POST /transactions/${second.transaction_id}/${action}`);
      expect([status, json.error.code]).toEqual([409, "conflict"]);
    }
  });

  it("a pending attempt is cancelled when another attempt starts", async () => {
    const sandbox = await openSandbox();
    const { id } = await newSession(sandbox);
    const pending = await sandbox.control.paySession(id, { method: "wave", outcome: "pending" });
    await sandbox.control.paySession(id, { method: "mtn", outcome: "completed" });
    expect((await api(sandbox, `GET /transactions/${pending.transaction_id}`)).json.status).toBe("cancelled");
  });
});

describe("lists", () => {
  it("a list is newest first, with a cursor until the last page", async () => {
    const sandbox = await openSandbox({ settings: { ratePolicy: "off" } });
    const ids: string[] = [];
    for (let count = 0; count < 25; count++) {
      const { id } = await newSession(sandbox);
      const paid = await sandbox.control.paySession(id, { method: "wave", outcome: "completed" });
      ids.unshift(paid.transaction_id as string);
    }
    const first = (await api(sandbox, "GET /transactions")).json;
    expect(first).toMatchObject({ object: "list", has_more: true, limit: 20, total_count: 25 });
    const second = (await api(sandbox, `GET /transactions?cursor=${first.next_cursor}`)).json;
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
    expect([...first.data, ...second.data].map((transaction: Json) => transaction.transaction_id)).toEqual(ids);
    expect((await api(sandbox, "GET /transactions?limit=3")).json.data).toHaveLength(3);
  });

  it("a limit above 100 is lowered, and an invalid limit is rejected", async () => {
    const sandbox = await openSandbox();
    expect((await api(sandbox, "GET /transactions?limit=101")).json.limit).toBe(100);
    for (const limit of ["0", "-1", "ten", "1.5", ""]) {
      const { status, json } = await api(sandbox, `GET /transactions?limit=${limit}`);
      expect([limit, status, json.error.code]).toEqual([limit, 400, "validation_failed"]);
    }
  });

  it("an invalid cursor is rejected", async () => {
    const sandbox = await openSandbox();
    const encode = (json: string) => Buffer.from(json).toString("base64url");
    for (const cursor of ["x", "", "%20", encode('{"offset":-1}'), encode("null")]) {
      const { status, json } = await api(sandbox, `GET /transactions?cursor=${cursor}`);
      expect([cursor, status, json.error]).toEqual([
        cursor,
        400,
        { code: "invalid_cursor", message: "Cursor is invalid" },
      ]);
    }
  });

  it("transactions are filtered by status, currency, provider, method, session, type and time", async () => {
    const sandbox = await openSandbox();
    const wave = await newSession(sandbox);
    await sandbox.control.paySession(wave.id, { method: "wave", outcome: "completed" });
    await sandbox.control.advanceClock(60_000);
    const card = await newSession(sandbox, { amount: 1999, currency_code: "USD" });
    const failed = await sandbox.control.paySession(card.id, { method: "card", outcome: "failed" });
    const count = async (query: string) => (await api(sandbox, `GET /transactions?${query}`)).json.total_count;
    expect(await count("")).toBe(2);
    expect(await count("status=completed")).toBe(1);
    expect(await count("status=completed,failed")).toBe(2);
    expect(await count("currency=USD")).toBe(1);
    expect(await count("provider=WAVE")).toBe(1);
    expect(await count("paymentMethod=CARDS,MOBILE_MONEY")).toBe(2);
    expect(await count(`checkoutSessionId=${wave.id}`)).toBe(1);
    expect(await count("type=payment")).toBe(2);
    expect(await count("type=refund")).toBe(0);
    expect(await count("isPos=true")).toBe(0);
    expect(await count(`startDate=${failed.created_at}`)).toBe(1);
    expect(await count(`endDate=${failed.created_at}`)).toBe(2);
    // A date without a time includes the whole day.
    expect(await count(`endDate=${String(failed.created_at).slice(0, "2026-01-31".length)}`)).toBe(2);
    expect((await api(sandbox, "GET /transactions?startDate=yesterday")).status).toBe(400);
  });
});
