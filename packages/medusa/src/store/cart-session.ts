import { z } from "zod";
import { type MedusaContainer, queryOf, workflowEngineOf } from "./medusa-container.ts";
import { isTillkitProvider } from "./paid-by.ts";
import type { PaymentCollection } from "./payment-collection.ts";
import { readRows } from "./read-rows.ts";

/** What `POST /store/payment-collections/:id/payment-sessions` runs: it also deletes the collection's other sessions. */
const CREATE_SESSIONS = "create-payment-sessions";
/** What `POST /store/carts/:id/complete` runs: Medusa locks the cart and asks our provider, which reads the payment again. */
const COMPLETE_CART = "complete-cart";

const schema = z.object({
  region: z.object({ payment_providers: z.array(z.object({ id: z.string() }).nullish()).nullish() }).nullish(),
});

/** Creates a payment session of our provider. False when the cart's region has none of ours. */
export async function createCartSession(container: MedusaContainer, collection: PaymentCollection): Promise<boolean> {
  const providerId = await findProvider(container, collection);
  if (providerId === null) return false;
  const input = { payment_collection_id: collection.id, provider_id: providerId };
  await workflowEngineOf(container).run(CREATE_SESSIONS, { input });
  return true;
}

/** @throws Medusa's error when the cart cannot become an order; nothing was captured then */
export async function completeCart(container: MedusaContainer, cartId: string): Promise<void> {
  await workflowEngineOf(container).run(COMPLETE_CART, { input: { id: cartId } });
}

async function findProvider(container: MedusaContainer, collection: PaymentCollection): Promise<string | null> {
  const used = collection.sessions.map(({ providerId }) => providerId).find(isTillkitProvider);
  if (used !== undefined || collection.cartId === null) return used ?? null;
  const fields = ["id", "region.payment_providers.id"];
  const [row] = await readRows(queryOf(container), "cart", fields, { id: collection.cartId });
  const parsed = schema.safeParse(row);
  const offered = parsed.success ? (parsed.data.region?.payment_providers ?? []) : [];
  return offered.map((provider) => provider?.id ?? "").find(isTillkitProvider) ?? null;
}
