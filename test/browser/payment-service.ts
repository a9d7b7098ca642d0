import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { CHECKOUT_EVENTS, signWebhook } from "@tillkit/client/webhooks";

export type PaymentService = { readonly baseUrl: string; close(): Promise<void> };

/**
 * A small payment service for the acts of operators: each transaction of the busy ledger is completed, `listTransactions` lists them for
 * the settlement, refunds complete at once, and the webhook endpoint at `hookUrl` has attempts that failed.
 */
export async function startPaymentService(
  hookUrl: () => string,
  listTransactions: () => Promise<readonly unknown[]>,
): Promise<PaymentService> {
  const refunds: unknown[] = [];
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    const transactionId = /\/transactions\/([^/?]+)/.exec(path)?.[1];
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (path.includes("/logs")) return send(200, attempts());
    if (/\/webhooks\/[^/]+\/test$/.test(path)) return send(...(await sendTestEvent(hookUrl())));
    if (path.includes("/webhooks")) return send(200, [endpoint(hookUrl())]);
    if (transactionId !== undefined) return send(200, transaction(transactionId));
    if (path.includes("/transactions")) return send(200, { data: await listTransactions(), has_more: false });
    if (!path.includes("/refunds")) return send(200, { data: [], has_more: false });
    if (request.method !== "POST") return send(200, { data: refunds, has_more: false });
    const refund = { ...(await readJson(request)), refund_id: randomUUID(), status: "completed", created_at: now() };
    refunds.push(refund);
    send(201, refund);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const now = () => new Date().toISOString();

/** `txn_p-0018_…` paid the session `cs_p-0018`. */
function transaction(id: string) {
  const [, paymentId] = id.split("_");
  return { transaction_id: id, checkout_session_id: `cs_${paymentId}`, status: "completed", created_at: now() };
}

function endpoint(url: string) {
  const events = CHECKOUT_EVENTS.filter((event) => event !== "DISPUTE_CLOSED");
  return { webhook_id: "wh_1", url, is_active: true, authorized_events: events };
}

/** Answers as the service does: 400 when the receiver did not take the event. */
async function sendTestEvent(url: string): Promise<[number, object]> {
  const event = { id: randomUUID(), event: "test.webhook", timestamp: now(), data: {} };
  const body = Buffer.from(JSON.stringify(event));
  const headers = { "Content-Type": "application/json", "X-Service-Signature": signWebhook(body, "whsec_1") };
  const { ok } = await fetch(url, { method: "POST", body, headers });
  return ok ? [200, { success: true }] : [400, { error: { code: "bad_request", message: "The receiver refused it." } }];
}

function attempts() {
  const attempt = { webhook_id: "wh_1", event_type: "PAYMENT_SUCCEEDED", created_at: now() };
  return [
    { ...attempt, log_id: "3", success: true, response_status: 200, attempt_number: 2, request_duration_ms: 34 },
    { ...attempt, log_id: "2", success: false, response_status: 401, attempt_number: 1, request_duration_ms: 12 },
    { ...attempt, log_id: "1", success: false, error: "timeout", attempt_number: 1, request_duration_ms: 4_000 },
  ];
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}
