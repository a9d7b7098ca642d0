import { createHash } from "node:crypto";
import { readEvent, verifyWebhook } from "@tillkit/client/webhooks";
import { codeOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import { safeText } from "../domain/safe-text.ts";
import type { Engine } from "../engine.ts";
import { matchInLedger } from "./match-event.ts";

export type IncomingWebhook = {
  readonly endpointId: string;
  /** The body as it came. Never a parsed and written-again one: the signature is over these bytes. */
  readonly bytes: Uint8Array;
  /** `X-Service-Signature`; a list when the header came more than once. */
  readonly signature: string | readonly string[] | undefined;
  /** `X-Service-Event`: not signed, so it decides nothing; a header that differs from the body is flagged. */
  readonly event?: string | undefined;
};

/** What to answer. The service takes 4xx as final, so only what can never become right gets one. */
export type WebhookAnswer = {
  readonly status: 200 | 401 | 404 | 413 | 503;
  readonly code: "received" | "signature_invalid" | "endpoint_unknown" | "body_too_large" | "storage_failed";
  readonly message: string;
};

/**
 * Checks the signature over the raw bytes and makes the delivery durable; nothing else happens before the answer. What the
 * event means is decided later, by reading, in `runDue`.
 */
export async function receiveWebhook(engine: Engine, incoming: IncomingWebhook): Promise<WebhookAnswer> {
  const { endpointId, bytes, signature } = incoming;
  if (bytes.byteLength > limits.deliveryBytes) {
    return { status: 413, code: "body_too_large", message: `A webhook has at most ${limits.deliveryBytes} bytes.` };
  }
  try {
    const endpoint = await engine.tenants.endpoint(endpointId);
    if (!endpoint) {
      const message = "There is no such webhook endpoint here: check the URL registered at the service.";
      return { status: 404, code: "endpoint_unknown", message };
    }
    if (!verifyWebhook({ bytes, signature, secrets: endpoint.secrets })) {
      const message = "The signature does not match: check the webhook secret, and that nothing rewrites the body.";
      return { status: 401, code: "signature_invalid", message };
    }
    await keep(engine, incoming);
    return { status: 200, code: "received", message: "Received." };
  } catch (error) {
    engine.log.error("webhook.storage_failed", { endpointId, code: codeOf(error) });
    return { status: 503, code: "storage_failed", message: "The delivery could not be stored: send it again." };
  }
}

async function keep(engine: Engine, { endpointId, bytes, event: header }: IncomingWebhook): Promise<void> {
  const digest = createHash("sha256").update(bytes).digest("hex");
  await engine.ledger.receive([{ endpointId, digest, bytes, receivedAt: engine.clock.now() }]);
  const body = readEvent(bytes)?.event;
  if (header !== undefined && body !== undefined && header !== body) await flag(engine, endpointId, bytes, header);
}

// The body is signed, so it is looked at all the same; somebody on the way may have played with the header. Whoever caught one
// delivery can send it again with any header, so a payment keeps one line of this for each event that its bodies name.
async function flag(engine: Engine, endpointId: string, bytes: Uint8Array, header: string): Promise<void> {
  const [endpoint, event] = [await engine.tenants.endpoint(endpointId), readEvent(bytes)];
  const found = endpoint && event && (await matchInLedger(engine, endpoint, event));
  const [payment] = found?.kind === "ours" && found.payments.length === 1 ? found.payments : [];
  const named = ` ≠ ${safeText(event?.event ?? "")}`;
  const detail = `${safeText(header)}${named}`;
  if (payment && (await isFlagged(engine, payment.id, named))) return;
  engine.log.warn("webhook.header_differs", { endpointId, detail });
  if (!payment) return;
  const entry = {
    paymentId: payment.id,
    at: engine.clock.now(),
    actor: "webhook",
    kind: "header_differs",
    detail,
  } as const;
  // Under the version that was read: of many copies that come at once, one is told, and the others are `stale`.
  const next = { ...payment, version: payment.version + 1 };
  await engine.ledger.commit({ payment: { next, expect: payment.version }, timeline: [entry] });
}

async function isFlagged(engine: Engine, paymentId: string, named: string): Promise<boolean> {
  const story = await engine.ledger.timeline({ paymentId });
  return story.some(({ kind, detail }) => kind === "header_differs" && detail.endsWith(named));
}
