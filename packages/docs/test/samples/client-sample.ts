// The samples of the page "Quick start: client only". client-sample.test.ts runs them against the sandbox.

// #region client
import { createServiceClient, type ServiceClient } from "@tillkit/client";

export function openClient(apiKey: string, baseUrl: string): ServiceClient {
  return createServiceClient({ apiKey, baseUrl });
}
// #endregion client

// #region open
/** Opens a hosted page for an order. `attempt` counts the tries of this order: store it before the call. */
export async function openHostedPage(client: ServiceClient, order: { id: string; total: number }, attempt: number) {
  const { data } = await client.checkoutSessions.create(
    {
      amount: order.total, // whole francs; cents for USD and EUR
      currency_code: "XOF",
      title: `Order ${order.id}`,
      success_url: `https://shop.example/orders/${order.id}`,
    },
    { idempotencyKey: `order:${order.id}:${attempt}` },
  );
  return { sessionId: data.id, url: data.url }; // store the id on the order, then redirect the shopper to the URL
}
// #endregion open

// #region read
/** The only proof of a payment. A field that is undefined was not in the answer and proves nothing. */
export async function isPaid(client: ServiceClient, sessionId: string, total: number): Promise<boolean> {
  const { data } = await client.checkoutSessions.read(sessionId);
  return data.status === "completed" && data.amount === total && data.currencyCode === "XOF";
}

// #endregion read

// #region receive
import { isServiceError, verifyEvent } from "@tillkit/client/webhooks";

/** `bytes` is the raw body, before any parser has read it. Returns the status of the answer and the session to read. */
export function receiveWebhook(bytes: Uint8Array, signature: string | undefined, secret: string) {
  try {
    const event = verifyEvent({ bytes, signature, secrets: [secret] });
    return { status: 200, sessionId: event.sessionId ?? null };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    // A signed body that is no event will never be one, so 200 ends its delivery.
    return { status: error.code === "event_unreadable" ? 200 : 401, sessionId: null };
  }
}
// #endregion receive

// #region refund
/** `decision` names one decision of the owner: a repeated click sends the same key, and money goes back once. */
export async function refund(client: ServiceClient, transactionId: string, amount: number, decision: string) {
  const { data } = await client.refunds.create(
    { transaction_id: transactionId, amount },
    { idempotencyKey: `refund:${decision}` },
  );
  return data.id;
}
// #endregion refund
