import type { Answer } from "./answer.ts";
import type { Receiver } from "./receiver.ts";
import type { Merchant, Send, Service } from "./service.ts";

/** An order that every method can pay. */
export const order = { amount: 5000, currency_code: "XOF", title: "Order 1042" };

/** What the merchant receives for `order`: 5,000 francs less the sandbox's fee of 2.5 percent. */
export const netOfOrder = 4875;

export const paymentEvents = ["PAYMENT_CREATED", "PAYMENT_SUCCEEDED", "PAYMENT_FAILED"];

/** Opens a session for `order`, with the fields in `change` replaced. */
export async function openSession(call: Send, change: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  return expectStatus(await call("POST /checkout-sessions", { body: { ...order, ...change } }), 201);
}

/** Pays a session as a shopper on the hosted page would. */
export function pay(
  service: Pick<Service, "control">,
  sessionId: string,
  method = "card",
  outcome = "completed",
): Promise<Answer> {
  return service.control(`POST /checkout-sessions/${sessionId}/pay`, { method, outcome });
}

export async function readSession(call: Send, id: string): Promise<Answer> {
  return expectStatus(await call("GET /checkout-sessions/{id}", { params: { id } }), 200);
}

export async function readTransaction(call: Send, id: string): Promise<Answer> {
  return expectStatus(await call("GET /transactions/{id}", { params: { id } }), 200);
}

/** The id of the only transaction of a session. */
export async function transactionOf(call: Send, sessionId: string): Promise<string> {
  const answer = await call("GET /transactions", { query: { limit: 100 } });
  const mine = answer.rows("data").filter((row) => row.checkout_session_id === sessionId);
  if (mine.length !== 1) throw new Error(`${mine.length} transactions belong to the session.`);
  return String(mine[0]?.transaction_id);
}

/** Opens and pays a session, and returns the ids of the session and its transaction. */
export async function paidSession(
  service: Pick<Service, "control">,
  call: Send,
  change: Readonly<Record<string, unknown>> = {},
  method = "card",
): Promise<{ sessionId: string; transactionId: string }> {
  const sessionId = (await openSession(call, change)).text("id");
  await pay(service, sessionId, method);
  return { sessionId, transactionId: (await readSession(call, sessionId)).text("transaction_id") };
}

export type Listener = { readonly receiver: Receiver; readonly id: string; readonly secret: string };

/** Creates a webhook endpoint of the merchant for these events, with a receiver behind it. */
export async function listen(service: Service, call: Send, events: readonly string[]): Promise<Listener> {
  const receiver = await service.receiver();
  const body = { url: receiver.url, authorized_events: events };
  const answer = expectStatus(await call("POST /webhooks", { body }), 201);
  return { receiver, id: answer.text("id"), secret: answer.text("secret") };
}

/** The merchant's balance in one currency. */
export async function balanceOf(merchant: Merchant, currency = "XOF"): Promise<number> {
  const rows = (await merchant.call("GET /accounts/balance", { query: { currency } })).rows();
  return Number(rows.find((row) => row.currency_code === currency)?.balance ?? 0);
}

/** Checks the status of an answer and shows the whole answer in the error. */
export function expectStatus(answer: Answer, status: number): Answer {
  if (answer.status !== status) throw new Error(`Expected ${status}, got ${answer.status} ${answer.raw}`);
  return answer;
}

const awa = { name: "Awa Diop", phoneNumber: "+2250700000000", email: "awa@example.test" };

/** The body of a wave charge. In the test environment the charge completes at once. */
export const waveCharge = { amount: 5000, currency: "XOF", customer: awa, description: "Order 1042" };

export const cardCharge = {
  amount: 5000,
  currency_code: "XOF",
  description: "Order 1042",
  customer_email: "awa@example.test",
  customer_name: "Awa Diop",
};

export async function chargeWave(call: Send, change: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  return expectStatus(await call("POST /charge/wave", { body: { ...waveCharge, ...change } }), 201);
}

export async function refund(
  call: Send,
  transactionId: string,
  amount: number,
  change: Readonly<Record<string, unknown>> = {},
): Promise<Answer> {
  const body = { transaction_id: transactionId, amount, ...change };
  return expectStatus(await call("POST /refunds", { body }), 201);
}
