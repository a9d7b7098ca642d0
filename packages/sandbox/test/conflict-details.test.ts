import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { Sandbox } from "../src/index.ts";
import { openNetwork } from "./open-network.ts";
import {
  type ApiResponse,
  api,
  control,
  eventually,
  newEndpoint,
  newSession,
  openReceiver,
  openSandbox,
  order,
} from "./open-sandbox.ts";
import { cardCharge, moveMoney, payNewSession } from "./payments.ts";

function expectConflict({ status, json }: ApiResponse, details: Record<string, unknown>): void {
  expect([status, json.error.details]).toEqual([409, details]);
}

const pay = (sandbox: Sandbox, id: string) =>
  control(sandbox, `POST /checkout-sessions/${id}/pay`, { method: "wave", outcome: "completed" });

it("a conflict about a payment names the session or transaction and its status", async () => {
  const sandbox = await openSandbox();
  const { id: checkout_session_id } = await newSession(sandbox);
  const { transaction_id } = (await pay(sandbox, checkout_session_id)).json;
  const status = "completed";
  expectConflict(await pay(sandbox, checkout_session_id), { checkout_session_id, status, transaction_id });
  expectConflict(await control(sandbox, `POST /checkout-sessions/${checkout_session_id}/expire`), {
    checkout_session_id,
    status,
  });
  expectConflict(await control(sandbox, `POST /transactions/${transaction_id}/complete`), { transaction_id, status });
  const refund = { transaction_id, amount: order.amount };
  await moveMoney(sandbox, "/refunds", refund);
  expectConflict(await moveMoney(sandbox, "/refunds", refund), { transaction_id, status: "refunded" });
});

it("a conflict about a refund, payout, card payment or dispute names the object and its status", async () => {
  const sandbox = await openSandbox();
  const { transaction_id } = await payNewSession(sandbox);
  const { refund_id } = (await moveMoney(sandbox, "/refunds", { transaction_id, amount: 100 })).json;
  expectConflict(await control(sandbox, `POST /refunds/${refund_id}/fail`), { refund_id, status: "completed" });
  const payout = {
    destination: "self",
    rail: "bank",
    amount: 100,
    currency_code: "XOF",
    payout_method_id: randomUUID(),
  };
  const { payout_id } = (await moveMoney(sandbox, "/payouts", payout)).json;
  await sandbox.control.completePayout(payout_id);
  expectConflict(await control(sandbox, `POST /payouts/${payout_id}/fail`), { payout_id, status: "completed" });
  const charge = (await moveMoney(sandbox, "/charge/card", cardCharge)).json;
  const confirm = () =>
    control(sandbox, `POST /card-charges/${charge.data.id}/confirm`, { number: "4242424242424242" });
  const charged = (await confirm()).json.data.transaction_id;
  expectConflict(await confirm(), { transaction_id: charged, status: "completed" });
  const { dispute_id } = (await control(sandbox, "POST /disputes", { transaction_id })).json;
  expectConflict(await control(sandbox, "POST /disputes", { transaction_id }), { dispute_id, status: "pending" });
  await sandbox.control.closeDispute(dispute_id, { outcome: "lost" });
  const details = { dispute_id, status: "closed", outcome: "lost" };
  expectConflict(await control(sandbox, `PATCH /disputes/${dispute_id}`, { reason: "late" }), details);
});

it("a conflict about an Idempotency-Key names the key and the request that used it first", async () => {
  const sandbox = await openSandbox();
  const headers = { "Idempotency-Key": "order:7" };
  const first = await api(sandbox, "POST /checkout-sessions", { body: order, headers });
  const other = await api(sandbox, "POST /checkout-sessions", { body: { ...order, amount: 1000 }, headers });
  const request_id = first.headers.get("x-request-id");
  expectConflict(other, { idempotency_key: "order:7", request_id });
});

it("a conflict about a delivery names the webhook endpoint and what prevents the delivery", async () => {
  const sandbox = await openSandbox();
  const receiver = await openReceiver();
  receiver.respondWith(400);
  const { id: webhook_id } = await newEndpoint(sandbox, receiver.url, { authorized_events: ["PAYMENT_SUCCEEDED"] });
  await payNewSession(sandbox);
  const logs = async () => (await api(sandbox, `GET /webhooks/${webhook_id}/logs`)).json;
  await eventually(async () => (await logs()).length === 1);
  const [{ id: log_id }] = await logs();
  const retry = (id: string) => api(sandbox, `POST /webhooks/${webhook_id}/logs/${id}/retry`);
  const change = (body: object) => api(sandbox, `PATCH /webhooks/${webhook_id}`, { body });
  await change({ is_active: false });
  expectConflict(await retry(log_id), { webhook_id, is_active: false });
  await change({ is_active: true, authorized_events: ["PAYMENT_FAILED"] });
  expectConflict(await retry(log_id), { webhook_id, log_id, event_type: "PAYMENT_SUCCEEDED" });
  await change({ authorized_events: ["PAYMENT_SUCCEEDED"] });
  receiver.respondWith(200);
  await retry(log_id);
  const [{ id: delivered }] = await logs();
  expectConflict(await retry(delivered), { webhook_id, log_id: delivered, success: true });
});

it("a conflict in the Network names the membership or the invite and its status", async () => {
  const sandbox = await openSandbox();
  const { operator, member, membershipId: membership_id } = await openNetwork(sandbox);
  const { operator_id } = operator;
  const again = await control(sandbox, "POST /memberships", { operator_id, account: member.account });
  expectConflict(again, { membership_id, status: "active" });
  const { invite_id } = (await control(sandbox, "POST /invites", { operator_id })).json;
  await control(sandbox, `PATCH /invites/${invite_id}`, { status: "cancelled" });
  const late = await control(sandbox, `PATCH /invites/${invite_id}`, { status: "cancelled" });
  expectConflict(late, { invite_id, status: "cancelled" });
});
