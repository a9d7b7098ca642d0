import { createHmac, timingSafeEqual } from "node:crypto";
import { type Clock, StoreError } from "@tillkit/core";

/** The body that the platform posts when a shopper chooses our payment method. */
export type PostedPayment = {
  readonly orderTransactionId: string;
  /** The order's id, which all its attempts share. */
  readonly referenceOrderId: string;
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
  /** Where the shopper goes after paying. The `redirectUrl` in our answer to this post is the pay link. */
  readonly redirectUrl: string;
  readonly cancelUrl: string;
  readonly language: string;
  readonly live: boolean;
};

/** A shop: its name in the headers, and the secret with which both sides sign. */
export type PlatformShop = { readonly handle: string; readonly secret: string };

/** HMAC-SHA256 over `timestamp.body` with the raw bytes, in hexadecimal digits. */
export function signPost(bytes: Uint8Array, timestamp: string, { secret }: PlatformShop): string {
  return createHmac("sha256", secret).update(`${timestamp}.`).update(bytes).digest("hex");
}

export function isFromPlatform(
  bytes: Uint8Array,
  header: (name: string) => string | undefined,
  shop: PlatformShop,
  now: number,
): boolean {
  const timestamp = header("pay-api-timestamp") ?? "";
  const signature = Buffer.from(header("pay-api-signature") ?? "");
  const expected = Buffer.from(signPost(bytes, timestamp, shop));
  const isSigned = signature.length === expected.length && timingSafeEqual(signature, expected);
  return isSigned && header("pay-api-store-handle") === shop.handle && Math.abs(now - Number(timestamp)) < WINDOW_MS;
}

/** Notifies the platform of a payment. `DUPLICATE`: it has this payment already. `CLOSED`: it no longer accepts a payment. */
export type Notify = (body: Readonly<Record<string, string>>) => Promise<"SUCCESS" | "DUPLICATE" | "CLOSED">;

export function createNotify(options: { readonly url: string; readonly token: string; readonly clock: Clock }): Notify {
  return async function notify(body) {
    const timeoutController = new AbortController();
    const timeout = options.clock.sleep(CALL_MS, timeoutController.signal).then(() => timeoutController.abort());
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${options.token}` };
    const request = { method: "POST", headers, body: JSON.stringify(body), signal: timeoutController.signal };
    try {
      return await readResponse(await fetch(options.url, request));
    } catch (cause) {
      throw cause instanceof StoreError ? cause : new StoreError("unknown", "The platform did not answer.", { cause });
    } finally {
      timeoutController.abort();
      await timeout.catch(() => undefined);
    }
  };
}

async function readResponse(response: Response): ReturnType<Notify> {
  if (response.status === 401) throw new StoreError("reconnect", "The platform refuses our token.");
  if (response.status === 503) throw new StoreError("unavailable", "The platform is down.");
  const { code } = (await response.json()) as { readonly code?: string };
  if (code === "SUCCESS" || code === "DUPLICATE" || code === "CLOSED") return code;
  throw new StoreError("unknown", `The platform answered ${response.status} with an unknown code.`);
}

const WINDOW_MS = 5 * 60_000;
const CALL_MS = 10_000;
