import { createHmac, timingSafeEqual } from "node:crypto";
import { type Clock, StoreError } from "@tillkit/core";

/** What the platform posts when a shopper picks our way of paying. */
export type PostedPayment = {
  readonly orderTransactionId: string;
  /** All tries of one order share it. */
  readonly referenceOrderId: string;
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly redirectUrl: string;
  readonly cancelUrl: string;
  readonly language: string;
  readonly live: boolean;
};

/** The shop of a merchant: its name in headers, and the secret that both sides sign with. */
export type PlatformShop = { readonly handle: string; readonly secret: string };

/** HMAC-SHA256 of `timestamp.body` in hex; over the bytes as they came. */
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

/** Tells the platform that a payment arrived. `DUPLICATE`: it knew already; `CLOSED`: it can no longer take it. */
export type Notify = (body: Readonly<Record<string, string>>) => Promise<"SUCCESS" | "DUPLICATE" | "CLOSED">;

export function createNotify(wire: { readonly url: string; readonly token: string; readonly clock: Clock }): Notify {
  return async function notify(body) {
    const ending = new AbortController();
    const timeout = wire.clock.sleep(CALL_MS, ending.signal).then(() => ending.abort());
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${wire.token}` };
    const asked = { method: "POST", headers, body: JSON.stringify(body), signal: ending.signal };
    try {
      return await readAnswer(await fetch(wire.url, asked));
    } catch (cause) {
      throw cause instanceof StoreError ? cause : new StoreError("unknown", "The platform did not answer.", { cause });
    } finally {
      ending.abort();
      await timeout.catch(() => undefined);
    }
  };
}

async function readAnswer(response: Response): ReturnType<Notify> {
  if (response.status === 401) throw new StoreError("reconnect", "The platform refuses our token.");
  if (response.status === 503) throw new StoreError("unavailable", "The platform is down.");
  const { code } = (await response.json()) as { readonly code?: string };
  if (code === "SUCCESS" || code === "DUPLICATE" || code === "CLOSED") return code;
  throw new StoreError("unknown", `The platform answered ${response.status} with an unknown code.`);
}

const WINDOW_MS = 5 * 60_000;
const CALL_MS = 10_000;
