import { randomUUID } from "node:crypto";
import http from "node:http";
import https from "node:https";
import { postedAmount } from "../admin/amounts.ts";
import type { ShopifyVersion } from "../graphql/schemas.ts";
import type { ModificationSession } from "../payments/modification-sessions.ts";
import type { PaymentSession } from "../payments/payment-sessions.ts";

/**
 * How Shopify authenticates: with its client certificate, or with the header of a proxy that terminates TLS. `serverCa`: the
 * root of the app's certificate, if that root is not publicly trusted.
 */
export type SenderIdentity =
  | { readonly kind: "certificate"; readonly key: string; readonly cert: string; readonly serverCa?: string }
  | { readonly kind: "headers"; readonly headers: Readonly<Record<string, string>> };

/** The app's response to a session request. `status` 0: no response. */
export type SessionResponse = {
  readonly status: number;
  readonly text: string;
  readonly redirectUrl: string | null;
  /** In real time. */
  readonly durationMs: number;
};

export type SessionSender = {
  post(url: string, shop: string, body: object): Promise<SessionResponse>;
  close(): void;
};

/** How long a response is awaited in real time. Shopify does not publish its timeout; a shopper does not wait longer. */
const TIMEOUT_MS = 30_000;

export function createSessionSender(identity: SenderIdentity, version: ShopifyVersion): SessionSender {
  const tls = identity.kind === "certificate" ? { key: identity.key, cert: identity.cert, ca: identity.serverCa } : {};
  const secure = new https.Agent({ keepAlive: true, maxSockets: 100, ...tls });
  const plain = new http.Agent({ keepAlive: true, maxSockets: 100 });
  const headers = identity.kind === "headers" ? identity.headers : {};

  function post(url: string, shop: string, body: object): Promise<SessionResponse> {
    const bytes = Buffer.from(JSON.stringify(body));
    const startedAt = performance.now();
    const isSecure = url.startsWith("https:");
    return new Promise((resolve) => {
      const finish = (status: number, text: string) =>
        resolve({ status, text, redirectUrl: redirectUrlOf(status, text), durationMs: performance.now() - startedAt });
      const request = (isSecure ? https : http).request(
        url,
        {
          method: "POST",
          agent: isSecure ? secure : plain,
          timeout: TIMEOUT_MS,
          headers: {
            "Content-Type": "application/json",
            "Content-Length": bytes.length,
            "Shopify-Shop-Domain": shop,
            "Shopify-Request-Id": randomUUID(),
            "Shopify-Api-Version": version,
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", () => finish(response.statusCode ?? 0, Buffer.concat(chunks).toString("utf8")));
          response.on("error", () => finish(0, ""));
        },
      );
      request.on("timeout", () => request.destroy());
      request.on("error", (error) => finish(0, error.message));
      request.end(bytes);
    });
  }

  return {
    post,
    close() {
      secure.destroy();
      plain.destroy();
    },
  };
}

/** The body of a payment request. */
export function paymentBody(session: PaymentSession, cancelUrl: string) {
  return {
    id: session.id,
    gid: session.gid,
    group: session.group,
    session_id: `${session.group.slice(0, 20)}=`,
    amount: postedAmount(session.amount),
    currency: session.amount.currency,
    test: session.test,
    merchant_locale: "en",
    payment_method: { type: "offsite", data: { cancel_url: cancelUrl } },
    proposed_at: new Date(session.proposedAt).toISOString(),
    customer: {
      email: session.email,
      phone_number: "+2250700000000",
      locale: session.locale,
      billing_address: ADDRESS,
    },
    kind: session.kind,
  };
}

/** The body of a refund, capture or void request. */
export function modificationBody({ id, gid, paymentId, amount, test, proposedAt }: ModificationSession) {
  return {
    id,
    gid,
    payment_id: paymentId,
    ...(amount ? { amount: postedAmount(amount), currency: amount.currency } : {}),
    test,
    merchant_locale: "en",
    proposed_at: new Date(proposedAt).toISOString(),
  };
}

// Shopify omits `family_name` for some customers.
const ADDRESS = { given_name: "Awa", line1: "12 rue du Commerce", city: "Abidjan", country_code: "CI", company: "" };

function redirectUrlOf(status: number, text: string): string | null {
  if (status < 200 || status > 299) return null;
  try {
    const { redirect_url: url } = JSON.parse(text);
    return typeof url === "string" && url.length < 8_192 ? url : null;
  } catch {
    return null;
  }
}
