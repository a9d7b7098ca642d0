import { decimalText, type Receipt, type StoreAdapter, silentLog } from "@tillkit/core";
import type { PlacedOrder, StoreAdapterHarness } from "@tillkit/testkit";
import { createMedusaAdapter } from "../src/adapter/medusa-adapter.ts";
import { isBeingWrittenDown } from "../src/adapter/recorded-elsewhere.ts";
import { type AskedProvider, createFakeMedusa, PROVIDER_ID } from "./fake-medusa/fake-medusa.ts";
import { mustHave } from "./fake-medusa/shop.ts";

const STORE_ID = "boutique";

/** Believes what it was told: a session is paid by the payment that `told` names. */
export function believingProvider(told: ReadonlyMap<string, string>): AskedProvider {
  return {
    initiatePayment: async () => ({ id: "", status: "requires_more", data: {} }),
    authorizePayment: async ({ context }) => {
      const paymentId = told.get(context?.idempotency_key ?? "");
      return paymentId === undefined
        ? { status: "requires_more" }
        : { status: "captured", data: { payment_id: paymentId } };
    },
    cancelPayment: async () => ({}),
    deletePayment: async () => ({}),
    async refundPayment({ data }) {
      if (isBeingWrittenDown(String(data?.payment_id))) return { data: data ?? {} };
      throw new Error("Nobody asked the service for this refund.");
    },
  };
}

/**
 * A fake Medusa with a provider that believes what the contract tells it: a session is paid by the payment that the shop was
 * told of last. Refunds pass only while the adapter lets Medusa write down one that happened elsewhere.
 */
export async function medusaHarness(): Promise<StoreAdapterHarness> {
  const told = new Map<string, string>();
  const medusa = createFakeMedusa(believingProvider(told));
  const { shop, container } = medusa;

  function connect(): StoreAdapter {
    const adapter = createMedusaAdapter({
      container,
      storeId: STORE_ID,
      environment: "test",
      language: "en",
      shopUrl: "https://shop.example",
      onMismatch: "notify",
      log: silentLog,
    });
    return {
      ...adapter,
      markPaid(receipt: Receipt) {
        told.set(receipt.attempt, receipt.paymentId);
        return adapter.markPaid(receipt);
      },
    };
  }

  const cartOf = ({ ref }: PlacedOrder) =>
    mustHave(
      shop.carts.find(({ collectionId }) => collectionId === ref.orderId),
      "cart",
    );
  const orderOf = (placed: PlacedOrder) => shop.orders.find(({ cartId }) => cartId === cartOf(placed).id);
  const paymentsOf = ({ ref }: PlacedOrder) =>
    shop.payments.filter(({ collectionId, providerId }) => collectionId === ref.orderId && providerId === PROVIDER_ID);
  const texts = (start: string) =>
    shop.notices.filter(({ key }) => key.startsWith(`tillkit:${start}`)).map(({ description }) => description);

  async function anotherTry(placed: PlacedOrder): Promise<PlacedOrder> {
    const session = await medusa.initiate(cartOf(placed));
    return { ref: placed.ref, attempt: session.id };
  }

  return {
    adapter: connect(),
    environment: "test",
    async placeOrder(want) {
      const cart = shop.placeCart(want);
      return await anotherTry({ ref: { storeId: STORE_ID, orderId: cart.collectionId }, attempt: "" });
    },
    probe: {
      paidBy: async (placed) => {
        const [payment] = orderOf(placed) ? paymentsOf(placed) : [];
        return typeof payment?.data.payment_id === "string" ? payment.data.payment_id : null;
      },
      timesPaid: async (placed) => paymentsOf(placed).reduce((sum, { captures }) => sum + captures, 0),
      holds: async ({ ref }) => texts(`hold:${ref.orderId}`),
      notes: async ({ ref }) => texts(`note:${ref.orderId}`),
      timesRefunded: async (placed) => paymentsOf(placed).flatMap(({ refunds }) => refunds).length,
    },
    async editTotal(placed, total) {
      await medusa.changeTotal(cartOf(placed), decimalText(total), total.currency.toLowerCase());
      return await anotherTry(placed);
    },
    async makeUnpayable({ ref }) {
      const collection = mustHave(
        shop.collections.find(({ id }) => id === ref.orderId),
        "collection",
      );
      collection.status = "canceled";
    },
    async payOutside(placed) {
      const session = await medusa.initiate(cartOf(placed), {}, "pp_card_card");
      const { id: sessionId, collectionId, providerId, amount } = session;
      const row = { sessionId, collectionId, providerId, amount, data: {}, captures: 1, canceledAt: null, refunds: [] };
      shop.payments.push({ id: shop.newId("pay"), ...row });
      await medusa.completeCart(cartOf(placed));
    },
    restart: async () => connect(),
    without: {
      secondAttempt: "a second try deletes the first one's session in Medusa; changed carts are tested with the engine",
      network: "the adapter runs inside Medusa's own process",
    },
  };
}
