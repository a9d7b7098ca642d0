import { describe, expect, it } from "vitest";
import type { Sandbox } from "../src/index.ts";
import { openPage, submitForm } from "./open-console.ts";
import { control, type Json, newEndpoint, openReceiver, openSandbox } from "./open-sandbox.ts";
import { eventNames, payNewSession } from "./payments.ts";

const clock = { now: () => Date.parse("2026-05-01T08:00:00.000Z") };
const dayMs = 86_400_000;
const evidence = { shipping_carrier: "DHL", shipping_tracking_number: "JD0142" };

async function openDispute(sandbox: Sandbox, fields: Json = {}): Promise<Json> {
  const { transaction_id } = await payNewSession(sandbox);
  return (await control(sandbox, "POST /disputes", { transaction_id, ...fields })).json;
}

const disputeEvents = async (sandbox: Sandbox) =>
  (await eventNames(sandbox)).filter((event) => event.startsWith("DISPUTE_"));

describe("evidence", () => {
  it("evidence of the merchant is stored, can be added to, and is reported as DISPUTE_UPDATED", async () => {
    const sandbox = await openSandbox({ clock });
    const receiver = await openReceiver();
    await newEndpoint(sandbox, receiver.url, { authorized_events: ["DISPUTE_UPDATED"] });
    const dispute = await openDispute(sandbox);
    expect(dispute).toMatchObject({ evidence: null, evidence_submitted_at: null });
    await sandbox.control.advanceClock(dayMs);
    const { json } = await control(sandbox, `PATCH /disputes/${dispute.dispute_id}`, { evidence });
    expect(json).toMatchObject({ evidence, evidence_submitted_at: "2026-05-02T08:00:00.000Z", status: "pending" });
    const [received] = await receiver.waitFor(1);
    expect(JSON.parse(received?.body ?? "").data).toMatchObject({
      dispute_id: dispute.dispute_id,
      updated_at: "2026-05-02T08:00:00.000Z",
    });
    const more = await sandbox.control.updateDispute(dispute.dispute_id, { evidence: { customer_name: "Awa" } });
    expect(more.evidence).toEqual({ ...evidence, customer_name: "Awa" });
    const wrongType = await control(sandbox, `PATCH /disputes/${dispute.dispute_id}`, { evidence: { receipt: 5 } });
    expect(wrongType.json.error.message).toBe('Invalid value for "evidence.receipt": must be a text.');
  });

  it("a change to the same values sends no event and leaves the dispute unchanged", async () => {
    const sandbox = await openSandbox({ clock });
    const dispute = await openDispute(sandbox, { reason: "fraudulent" });
    const before = await sandbox.control.updateDispute(dispute.dispute_id, { evidence });
    await sandbox.control.advanceClock(1000);
    const { evidence_due_by } = dispute;
    for (const change of [
      {},
      { reason: "fraudulent" },
      { evidence: {} },
      { evidence, evidence_due_by, status: "pending" },
    ]) {
      expect((await control(sandbox, `PATCH /disputes/${dispute.dispute_id}`, change)).json).toEqual(before);
    }
    expect(await disputeEvents(sandbox)).toEqual(["DISPUTE_CREATED", "DISPUTE_UPDATED"]);
  });
});

describe("the deadline for evidence", () => {
  it("a dispute without evidence is lost at its deadline", async () => {
    const sandbox = await openSandbox({ clock });
    const evidence_due_by = "2026-05-04T08:00:00.000Z";
    await openDispute(sandbox, { evidence_due_by });
    await sandbox.control.advanceClock(3 * dayMs - 1);
    expect(await disputeEvents(sandbox)).toEqual(["DISPUTE_CREATED"]);
    await sandbox.control.advanceClock(dayMs);
    const [closed] = await sandbox.control.listEvents();
    expect(closed).toMatchObject({
      event: "DISPUTE_CLOSED",
      created_at: evidence_due_by,
      data: { status: "closed", outcome: "lost" },
    });
  });

  it("a dispute with evidence waits for the bank after its deadline and takes no more evidence", async () => {
    const sandbox = await openSandbox({ clock });
    const { dispute_id, evidence_due_by } = await openDispute(sandbox);
    await sandbox.control.updateDispute(dispute_id, { evidence });
    await sandbox.control.advanceClock(11 * dayMs);
    expect(await disputeEvents(sandbox)).toEqual(["DISPUTE_CREATED", "DISPUTE_UPDATED"]);
    const late = await control(sandbox, `PATCH /disputes/${dispute_id}`, { evidence: { customer_name: "Awa" } });
    expect([late.status, late.json.error.details]).toEqual([409, { dispute_id, evidence_due_by }]);
    expect(await sandbox.control.closeDispute(dispute_id, { outcome: "won" })).toMatchObject({ outcome: "won" });
  });

  it("a later deadline gives the merchant more time, and a deadline in the past is refused", async () => {
    const sandbox = await openSandbox({ clock });
    const { dispute_id } = await openDispute(sandbox);
    const past = { evidence_due_by: "2026-05-01T07:59:59.000Z" };
    expect((await control(sandbox, `PATCH /disputes/${dispute_id}`, past)).json.error).toMatchObject({
      code: "bad_request",
      message: "evidence_due_by must be in the future.",
    });
    await sandbox.control.updateDispute(dispute_id, { evidence_due_by: "2026-06-01T00:00:00.000Z" });
    await sandbox.control.advanceClock(20 * dayMs);
    expect(await disputeEvents(sandbox)).toEqual(["DISPUTE_CREATED", "DISPUTE_UPDATED"]);
  });
});

it("the console submits evidence and shows it with its deadline", async () => {
  const sandbox = await openSandbox({ clock });
  const { dispute_id } = await openDispute(sandbox);
  const sent = await submitForm(sandbox, `/disputes/${dispute_id}/evidence`, { name: "receipt", text: "R-7 <b>" });
  expect(sent.location).toBe(`/sandbox/console/disputes/${dispute_id}?done=evidence-submitted`);
  const page = await openPage(sandbox, `/disputes/${dispute_id}`);
  expect(page.text).toContain("R-7 &lt;b&gt;");
  expect(page.text).toContain("receipt");
});
