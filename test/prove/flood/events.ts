import { createHash, createHmac } from "node:crypto";
import { type Session, transactionIdOf } from "./external-services.ts";
import { CUSTOMER, ENDPOINT, SECRET } from "./messages.ts";

/** `wire`: head and body as they are sent. `digest`: the ledger's key of the body. */
export type Delivery = { readonly wire: Buffer; readonly bytes: Buffer; readonly digest: string };

/** A signed event about a paid session, with its own event id. */
export function deliveryOf(session: Session, number: number): Delivery {
  const event = number % 3 === 0 ? "PAYMENT_CREATED" : "PAYMENT_SUCCEEDED";
  const at = new Date(Date.UTC(2026, 0, 6, 12) + number).toISOString();
  const body = JSON.stringify({
    id: `5a0f3a62-7c55-4b0e-8f0e-${String(number).padStart(12, "0")}`,
    event,
    timestamp: at,
    data: {
      transaction_id: transactionIdOf(session),
      checkout_session_id: session.id,
      transaction_type: "payment",
      status: "completed",
      gross_amount: session.body.amount,
      fee_amount: 625,
      net_amount: 24_375,
      currency_code: "XOF",
      provider_code: "WAVE",
      payment_method_code: "MOBILE_MONEY",
      customer: CUSTOMER,
      metadata: { tillkit_reference: session.reference, tillkit_store: "boutique" },
      environment: "test",
      created_at: at,
      updated_at: at,
    },
    service_environment: "development",
  });
  const bytes = Buffer.from(body);
  const head = [
    `POST /hooks/service/${ENDPOINT} HTTP/1.1`,
    "Host: shop.example",
    "Content-Type: application/json",
    `X-Service-Event: ${event}`,
    `X-Service-Signature: ${createHmac("sha256", SECRET).update(bytes).digest("hex")}`,
    "User-Agent: Service-Webhook/1.0",
    `Content-Length: ${bytes.length}`,
  ];
  const wire = Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), bytes]);
  return { wire, bytes, digest: createHash("sha256").update(bytes).digest("hex") };
}
