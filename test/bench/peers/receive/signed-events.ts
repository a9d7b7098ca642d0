import { createHash, createHmac } from "node:crypto";

export const SECRET = "whsec_5f1d7a0c9b3e4f6280d1c2b3a4958677";
export const ENDPOINT = "boutique-test";

/** `wire`: head and body as they are sent. `digest`: the ledger's key of the body. */
export type SignedEvent = { readonly wire: Buffer; readonly digest: string };

const BODY_BYTES = 1_024;
let eventsMade = 0;

/**
 * A new event of 1 KB, with the service's signature and with Stripe's, so that every contender verifies
 * the same request.
 */
export function signedEvent(): SignedEvent {
  eventsMade += 1;
  const number = String(eventsMade).padStart(12, "0");
  const body = eventBody(number);
  const bytes = Buffer.from(body.replace('"note":""', `"note":"${"x".repeat(BODY_BYTES - body.length)}"`));
  const seconds = Math.floor(Date.now() / 1_000);
  const stripeSignature = createHmac("sha256", SECRET).update(`${seconds}.`).update(bytes).digest("hex");
  const head = [
    `POST /hooks/service/${ENDPOINT} HTTP/1.1`,
    "Host: shop.example",
    "Content-Type: application/json",
    "X-Service-Event: PAYMENT_SUCCEEDED",
    `X-Service-Signature: ${createHmac("sha256", SECRET).update(bytes).digest("hex")}`,
    `Stripe-Signature: t=${seconds},v1=${stripeSignature}`,
    "User-Agent: Service-Webhook/1.0",
    `Content-Length: ${bytes.length}`,
  ];
  const wire = Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), bytes]);
  return { wire, digest: createHash("sha256").update(bytes).digest("hex") };
}

function eventBody(number: string): string {
  const at = "2026-01-06T12:00:00.000Z";
  return JSON.stringify({
    id: `5a0f3a62-7c55-4b0e-8f0e-${number}`,
    event: "PAYMENT_SUCCEEDED",
    timestamp: at,
    data: {
      transaction_id: `b7e6d1c0-0c0f-4e55-a1f2-${number}`,
      checkout_session_id: `c0ffee00-0c0f-4e55-a1f2-${number}`,
      transaction_type: "payment",
      status: "completed",
      gross_amount: 25_000,
      fee_amount: 625,
      net_amount: 24_375,
      currency_code: "XOF",
      provider_code: "WAVE",
      payment_method_code: "MOBILE_MONEY",
      customer: { name: "Awa Diop", email: "awa.diop@example.test", phone: "+221770001234" },
      metadata: { tillkit_reference: `b7e6d1c0-0c0f-4e55-a1f2-${number}.0123456789abcdef`, note: "" },
      environment: "test",
      created_at: at,
      updated_at: at,
    },
    service_environment: "development",
  });
}
