import type { CredentialConfig, Environment, StoreAdapter } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { type CheckoutServer, createCheckoutServer } from "@tillkit/server";

export const storeId = "json-file-shop";

/** The path of Tillkit's routes in the shop: payments, returns, webhooks and `/operators`. */
export const checkoutPath = "/checkout";

export type CheckoutSettings = {
  /** The public address of the shop, such as `https://shop.example`. */
  readonly shopUrl: string;
  readonly environment: Environment;
  /** Such as `sqlite:/var/lib/shop/payments.db` or `postgres://…`. */
  readonly ledgerUrl: string;
  /** Signs links and references; 32 characters or more: `openssl rand -hex 32`. */
  readonly key: string;
  /** Opens the operators' pages; 32 characters or more. */
  readonly operatorToken: string;
  readonly service: Omit<CredentialConfig, "storeIds">;
};

// #region checkout
/** Tillkit beside the shop: its routes, its jobs and its ledger. */
export async function openCheckout(
  adapter: StoreAdapter,
  { shopUrl, ledgerUrl, key, operatorToken, service }: CheckoutSettings,
): Promise<{ readonly checkout: CheckoutServer; close(): Promise<void> }> {
  const ledger = await openLedger(ledgerUrl);
  const checkout = createCheckoutServer({
    publicUrl: `${shopUrl}${checkoutPath}`,
    keys: [key],
    ledger,
    stores: { [storeId]: adapter },
    credentials: [{ ...service, storeIds: [storeId] }],
    operators: { tokens: [operatorToken] },
  });
  checkout.startTimer();
  return {
    checkout,
    async close() {
      await checkout.close();
      await ledger.close();
    },
  };
}
// #endregion checkout
