import { parseEvent, type ServiceEvent, verifyWebhook } from "@tillkit/client/webhooks";
import { codeOf } from "../domain/checkout-error.ts";
import { digestOf } from "../domain/delivery.ts";
import { limits } from "../domain/limits.ts";
import { safeText } from "../domain/safe-text.ts";
import { hasEntry } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";
import { matchInLedger } from "./match-event.ts";

/** The service's bodies name their event within this many bytes. */
const MAX_START_BYTES = 256;

export type IncomingWebhook = {
  readonly endpointId: string;
  /** The raw body. A body that was parsed and serialized again does not match its signature. */
  readonly bytes: Uint8Array;
  /** `X-Service-Signature`; a list when the header came more than once. */
  readonly signature: string | readonly string[] | undefined;
  /** `X-Service-Event`. The signature does not cover it, so it decides nothing; a header that differs from the body is recorded. */
  readonly event?: string | undefined;
};

/** The HTTP response. The service does not retry after a 4xx, so only a request that can never succeed gets a 4xx. */
export type WebhookAnswer = {
  readonly status: 200 | 401 | 404 | 413 | 503;
  readonly code: "received" | "signature_invalid" | "endpoint_unknown" | "body_too_large" | "storage_failed";
  readonly message: string;
};

/**
 * Checks the signature over the raw bytes and stores the delivery durably; nothing else happens before the response. A job of
 * `runDue` processes the delivery later.
 */
export async function receiveWebhook(engine: Engine, incoming: IncomingWebhook): Promise<WebhookAnswer> {
  const { endpointId, bytes, signature } = incoming;
  if (bytes.byteLength > limits.maxDeliveryBytes) {
    return { status: 413, code: "body_too_large", message: `A webhook has at most ${limits.maxDeliveryBytes} bytes.` };
  }
  try {
    const endpoint = await engine.tenants.endpoint(endpointId);
    if (!endpoint) {
      const message = "This webhook endpoint does not exist: check the URL registered at the service.";
      return { status: 404, code: "endpoint_unknown", message };
    }
    if (!verifyWebhook({ bytes, signature, secrets: endpoint.secrets })) {
      const message = "The signature does not match: check the webhook secret, and that nothing rewrites the body.";
      return { status: 401, code: "signature_invalid", message };
    }
    await storeDelivery(engine, incoming);
    return { status: 200, code: "received", message: "Received." };
  } catch (error) {
    engine.log.error("webhook.storage_failed", { endpointId, code: codeOf(error) });
    return { status: 503, code: "storage_failed", message: "The delivery could not be stored: send it again." };
  }
}

async function storeDelivery(engine: Engine, { endpointId, bytes, event: header }: IncomingWebhook): Promise<void> {
  const digest = digestOf(bytes);
  // `receive` stores the job of `runDue` in the same commit, so no delivery is stored that nothing will process.
  await engine.ledger.receive([{ endpointId, digest, bytes, receivedAt: engine.clock.now() }]);
  if (header === undefined || beginsWithEvent(bytes, header)) return;
  const event = parseEvent(bytes);
  if (event && header !== event.event) await recordDifference(engine, endpointId, event, header);
}

/**
 * Whether the body names this event before its first nested object, as the service's bodies do. This search is cheaper than parsing.
 * It refuses a backslash, because an escaped quote could make a text look like the field `event`.
 */
function beginsWithEvent(bytes: Uint8Array, name: string): boolean {
  if (!/^[\w.]+$/.test(name)) return false;
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, MAX_START_BYTES)).toString();
  const beforeNested = start.slice(0, start.indexOf("{", 1));
  return !beforeNested.includes("\\") && beforeNested.includes(`"event":"${name}"`);
}

// The signature covers the body and not the header, so the body is processed anyway. An attacker who captured a delivery can
// repeat it with any header. A payment therefore gets at most one entry of this kind for each event name in a signed body.
async function recordDifference(
  engine: Engine,
  endpointId: string,
  event: ServiceEvent,
  header: string,
): Promise<void> {
  const endpoint = await engine.tenants.endpoint(endpointId);
  const match = endpoint && (await matchInLedger(engine, endpoint, event));
  const payment = match?.kind === "ours" ? match.payment : null;
  const names = { header: safeText(header), event: safeText(String(event.event)) };
  const known = payment ? await engine.ledger.timeline({ paymentId: payment.id }) : [];
  if (hasEntry(known, { kind: "header_differs", event: names.event })) return;
  engine.log.warn("webhook.header_differs", { endpointId, ...names });
  if (!payment) return;
  const at = engine.clock.now();
  const entry = { paymentId: payment.id, at, actor: "webhook", kind: "header_differs", ...names } as const;
  // The commit names the version that was read, so only one of many simultaneous copies is recorded. The others are `stale`.
  const next = { ...payment, version: payment.version + 1 };
  await engine.ledger.commit({ payment: { next, expect: payment.version }, timeline: [entry] });
}
