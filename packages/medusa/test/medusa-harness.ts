import { decimalText, parseMoney, type Receipt, type StoreAdapter, silentLog } from "@tillkit/core";
import type { PlacedOrder, StoreAdapterHarness } from "@tillkit/testkit";
import { createMedusaAdapter } from "../src/adapter/medusa-adapter.ts";
import { isRecordOnly } from "../src/adapter/record-only-refund.ts";
import { createFakeMedusa } from "./fake-medusa/fake-medusa.ts";
import { PROVIDER_ID, type ProviderMethods } from "./fake-medusa/provider.ts";
import { requireRow } from "./fake-medusa/tables.ts";

const STORE_ID = "boutique";

/** Reports a session as paid by the payment that `paymentIds` holds for it. */
export function trustingProvider(paymentIds: ReadonlyMap<string, string>): ProviderMethods {
  return {
    initiatePayment: async () => ({ id: "", status: "requires_more", data: {} }),
    authorizePayment: async ({ context }) => {
      const paymentId = paymentIds.get(context?.idempotency_key ?? "");
      return paymentId === undefined
        ? { status: "requires_more" }
        : { status: "captured", data: { payment_id: paymentId } };
    },
    cancelPayment: async () => ({}),
    deletePayment: async () => ({}),
    async refundPayment({ data }) {
      if (isRecordOnly(String(data?.payment_id))) return { data: data ?? {} };
      throw new Error("This provider sends no refund to the service.");
    },
  };
}

/**
 * A fake Medusa whose provider reports a session as paid by the payment of the latest receipt. A refund succeeds only while
 * the adapter records one that the service has already made.
 */
export async function medusaHarness(): Promise<StoreAdapterHarness> {
  const paymentIds = new Map<string, string>();
  const medusa = createFakeMedusa(trustingProvider(paymentIds));
  const { tables, container } = medusa;

  function createAdapter(): StoreAdapter {
    const adapter = createMedusaAdapter({
      container,
      storeId: STORE_ID,
      environment: "test",
      language: "en",
      storeUrl: "https://shop.example",
      onMismatch: "notify",
      log: silentLog,
    });
    return {
      ...adapter,
      markPaid(receipt: Receipt) {
        paymentIds.set(receipt.attempt, receipt.paymentId);
        return adapter.markPaid(receipt);
      },
    };
  }

  const cartOf = ({ ref }: PlacedOrder) =>
    requireRow(
      tables.carts.find(({ collectionId }) => collectionId === ref.orderId),
      "cart",
    );
  const orderOf = (placed: PlacedOrder) => tables.orders.find(({ cartId }) => cartId === cartOf(placed).id);
  const paymentsOf = ({ ref }: PlacedOrder) =>
    tables.payments.filter(
      ({ collectionId, providerId }) => collectionId === ref.orderId && providerId === PROVIDER_ID,
    );
  const notificationTexts = (keyPrefix: string) =>
    tables.notifications
      .filter(({ key }) => key.startsWith(`tillkit:${keyPrefix}`))
      .map(({ description }) => description);

  async function startAttempt(placed: PlacedOrder): Promise<PlacedOrder> {
    const session = await medusa.initiate(cartOf(placed));
    return { ref: placed.ref, attempt: session.id };
  }

  return {
    adapter: createAdapter(),
    environment: "test",
    async placeOrder(input) {
      const cart = tables.addCart(input);
      return await startAttempt({ ref: { storeId: STORE_ID, orderId: cart.collectionId }, attempt: "" });
    },
    probe: {
      paidBy: async (placed) => {
        const [payment] = orderOf(placed) ? paymentsOf(placed) : [];
        return typeof payment?.data.payment_id === "string" ? payment.data.payment_id : null;
      },
      timesPaid: async (placed) => paymentsOf(placed).reduce((sum, { captures }) => sum + captures, 0),
      holds: async ({ ref }) => notificationTexts(`hold:${ref.orderId}`),
      notes: async ({ ref }) => notificationTexts(`note:${ref.orderId}`),
      refunds: async (placed) => {
        const { currencyCode } = requireRow(
          tables.collections.find(({ id }) => id === placed.ref.orderId),
          "collection",
        );
        const refunds = paymentsOf(placed).flatMap((payment) => payment.refunds);
        return refunds.map(({ amount }) => parseMoney(amount, currencyCode));
      },
    },
    async editTotal(placed, total) {
      await medusa.changeTotal(cartOf(placed), decimalText(total), total.currency.toLowerCase());
      return await startAttempt(placed);
    },
    async makeUnpayable({ ref }) {
      const collection = requireRow(
        tables.collections.find(({ id }) => id === ref.orderId),
        "collection",
      );
      collection.status = "canceled";
    },
    async payOutside(placed) {
      const session = await medusa.initiate(cartOf(placed), {}, "pp_card_card");
      const { id: sessionId, collectionId, providerId, amount } = session;
      const row = { sessionId, collectionId, providerId, amount, data: {}, captures: 1, canceledAt: null, refunds: [] };
      tables.payments.push({ id: tables.newId("pay"), ...row });
      await medusa.completeCart(cartOf(placed));
    },
    restart: async () => createAdapter(),
    unsupported: {
      secondAttempt:
        "Medusa deletes the first session when a second one starts; other tests check changed carts with the engine",
      network: "the adapter runs inside Medusa's own process",
    },
  };
}
