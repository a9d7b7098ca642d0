import { describe, expect, it } from "vitest";
import { control, newEndpoint, openReceiver, openSandbox } from "./open-sandbox.ts";
import { eventNames, payNewSession } from "./payments.ts";

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
    const tooMuch = await control(sandbox, "POST /disputes", { transaction_id, amount: 25_001 });
    expect(tooMuch.json.error.code).toBe("amount_invalid");
    const first = await control(sandbox, "POST /disputes", { transaction_id, amount: 5000 });
    expect((await control(sandbox, "POST /disputes", { transaction_id })).status).toBe(409);
    await control(sandbox, `POST /disputes/${first.json.dispute_id}/close`, { outcome: "lost" });
    expect((await control(sandbox, "POST /disputes", { transaction_id })).status).toBe(201);
    expect((await control(sandbox, "POST /disputes", {})).json.error.message).toBe(
      'Invalid value for "transaction_id": must be a text.',
    );
    expect((await control(sandbox, "POST /disputes/nothing/close", { outcome: "won" })).status).toBe(404);
  });
});
