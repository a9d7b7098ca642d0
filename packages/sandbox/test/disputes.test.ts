import { describe, expect, it } from "vitest";
import { openPage } from "./open-console.ts";
import { control, newEndpoint, openReceiver, openSandbox } from "./open-sandbox.ts";
import { eventNames, moveMoney, payNewSession } from "./payments.ts";

describe("disputes", () => {
  it("a dispute is opened, updated and closed, with one event for each step", async () => {
    const sandbox = await openSandbox();
    const receiver = await openReceiver();
    await newEndpoint(sandbox, receiver.url, { authorized_events: ["DISPUTE_CREATED"] });
    const { transaction_id, organization_id } = await payNewSession(sandbox);
    const { status, json } = await control(sandbox, "POST /disputes", { transaction_id, reason: "fraudulent" });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      transaction_id,
      organization_id,
      amount: 25_000,
      currency_code: "XOF",
      reason: "fraudulent",
      status: "pending",
      outcome: null,
      metadata: { order_id: "1042" },
    });
    const [received] = await receiver.waitFor(1);
    // Events have every field of a dispute except its evidence.
    const { evidence: _, evidence_submitted_at: __, ...fieldsInEvents } = json;
    expect(JSON.parse(received?.body ?? "").data).toEqual(fieldsInEvents);
    const path = `/disputes/${json.dispute_id}`;
    const changed = await control(sandbox, `PATCH ${path}`, { status: "resolved", reason: "duplicate" });
    expect(changed.json).toMatchObject({ status: "resolved", reason: "duplicate", amount: 25_000 });
    const closed = await control(sandbox, `POST ${path}/close`, { outcome: "won" });
    expect(closed.json).toMatchObject({ status: "closed", outcome: "won" });
    expect((await control(sandbox, `PATCH ${path}`, { reason: "late" })).status).toBe(409);
    expect((await control(sandbox, `POST ${path}/close`, { outcome: "lost" })).status).toBe(409);
    expect(await eventNames(sandbox)).toEqual([
      "PAYMENT_CREATED",
      "PAYMENT_SUCCEEDED",
      "DISPUTE_CREATED",
      "DISPUTE_UPDATED",
      "DISPUTE_CLOSED",
    ]);
  });

  it("a dispute needs a completed card payment without an open dispute", async () => {
    const sandbox = await openSandbox();
    const wave = await payNewSession(sandbox, {}, { method: "wave" });
    const { json } = await control(sandbox, "POST /disputes", { transaction_id: wave.transaction_id });
    expect(json.error.message).toBe("Only a card payment can be disputed");
    const { transaction_id } = await payNewSession(sandbox);
    const first = await control(sandbox, "POST /disputes", { transaction_id, amount: 5000 });
    expect((await control(sandbox, "POST /disputes", { transaction_id })).status).toBe(409);
    await control(sandbox, `POST /disputes/${first.json.dispute_id}/close`, { outcome: "lost" });
    expect((await control(sandbox, "POST /disputes", { transaction_id })).status).toBe(201);
    expect((await control(sandbox, "POST /disputes", {})).json.error.message).toBe(
      'Invalid value for "transaction_id": must be a text.',
    );
    expect((await control(sandbox, "POST /disputes/nothing/close", { outcome: "won" })).status).toBe(404);
  });

  it.each([
    [{ amount: 4000 }, 4000, "XOF"],
    [{ amount: 26_000 }, 26_000, "XOF"],
    [{ amount: 40, currency_code: "EUR" }, 40, "EUR"],
    [{ amount: null, currency_code: null }, null, null],
  ])("a dispute with %j is reported with these values", async (fields, amount, currency_code) => {
    const sandbox = await openSandbox();
    const { transaction_id } = await payNewSession(sandbox);
    const { status, json } = await control(sandbox, "POST /disputes", { transaction_id, ...fields });
    expect([status, json.amount, json.currency_code]).toEqual([201, amount, currency_code]);
    const [event] = await sandbox.control.listEvents();
    expect(event).toMatchObject({ event: "DISPUTE_CREATED", data: { amount, currency_code } });
    const page = await openPage(sandbox, `/disputes/${json.dispute_id}`);
    expect(page.status).toBe(200);
  });

  it("a payment that was refunded can be disputed, and refunded again while the dispute is open", async () => {
    const sandbox = await openSandbox();
    const { transaction_id } = await payNewSession(sandbox);
    await moveMoney(sandbox, "/refunds", { transaction_id, amount: 10_000 });
    const { json } = await control(sandbox, "POST /disputes", { transaction_id });
    await moveMoney(sandbox, "/refunds", { transaction_id, amount: 15_000 });
    await control(sandbox, `POST /disputes/${json.dispute_id}/close`, { outcome: "lost" });
    expect((await control(sandbox, "POST /disputes", { transaction_id, amount: 1000 })).status).toBe(201);
  });

  it("a dispute can end without an outcome, and its outcome can follow", async () => {
    const sandbox = await openSandbox();
    const { transaction_id } = await payNewSession(sandbox);
    const path = `/disputes/${(await control(sandbox, "POST /disputes", { transaction_id })).json.dispute_id}`;
    const ended = await control(sandbox, `POST ${path}/close`, { outcome: null });
    expect(ended.json).toMatchObject({ status: "closed", outcome: null });
    expect((await control(sandbox, `POST ${path}/close`, { outcome: null })).status).toBe(409);
    expect((await control(sandbox, `POST ${path}/close`, {})).status).toBe(400);
    const decided = await control(sandbox, `POST ${path}/close`, { outcome: "won" });
    expect(decided.json).toMatchObject({ status: "closed", outcome: "won" });
    expect((await control(sandbox, `POST ${path}/close`, { outcome: "lost" })).status).toBe(409);
    expect((await eventNames(sandbox)).slice(-2)).toEqual(["DISPUTE_CLOSED", "DISPUTE_CLOSED"]);
  });
});
