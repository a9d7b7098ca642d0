import type { Order } from "@tillkit/core";
import type { SignedTokens } from "@tillkit/runtime";

export type LinkPurpose = "pay" | "return" | "cancel" | "status";

/** `order`: the permanent pay link of one attempt of an order. The other links name a payment and expire. */
export type LinkTokens = SignedTokens<LinkPurpose | "order">;

export type OrderAttempt = Pick<Order, "ref" | "attempt">;

/** The same attempt has the same token as long as the newest key stays. */
export function signOrderToken(tokens: LinkTokens, { ref, attempt }: OrderAttempt): string {
  return tokens.signPermanent("order", JSON.stringify([ref.storeId, ref.orderId, attempt]));
}

/** Null when the token is no token of an order, or was not signed by this server. */
export function readOrderToken(tokens: LinkTokens, token: string): OrderAttempt | null {
  const value = tokens.readPermanent("order", token);
  if (value === null) return null;
  const [storeId, orderId, attempt] = JSON.parse(value) as [string, string, string];
  return { ref: { storeId, orderId }, attempt };
}
