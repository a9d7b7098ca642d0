import { decimalText, type OrderRef, type StoreAdapter, StoreError } from "@tillkit/core";
import {
  assertPluginReachable,
  type BridgedStore,
  findByPlugin,
  forOneCall,
  heldNote,
  holdByPlugin,
  type KeyOfOrder,
  listOrdersByPlugin,
  markPaidByPlugin,
  nameForPlugin,
  noteByPlugin,
  noteMessages,
  ORDER_GONE,
  type OrderName,
  type PluginRoutes,
  type ReadOrderMoney,
  shopperUrlOf,
  shortfallNote,
  showDecisionByPlugin,
  showRefundByPlugin,
  toOrder,
} from "@tillkit/php-bridge";
import { isUnsettled, notPayable } from "./platform.ts";

/** What the checkout server knows beside the shop. Without it every key is read from the shop, and the order list shows no decisions. */
export type PrestaShopAdapterHost = { readonly keyOf?: KeyOfOrder; readonly readMoney?: ReadOrderMoney };

type Writing = { readonly plugin: PluginRoutes; readonly order: OrderName };

/** The adapter of a PrestaShop: the module reads and writes the order, under a lock of its own and without a REST API. */
export function createPrestaShopAdapter(store: BridgedStore, host: PrestaShopAdapterHost = {}): StoreAdapter {
  const { storeId, language } = store;
  const { keyOf = async () => "", readMoney } = host;
  const messages = noteMessages(language, store.platform.words);

  /** Within the time limit of one call. Null: the order is gone. */
  async function startWriting(ref: OrderRef): Promise<Writing | null> {
    const timedStore = forOneCall(store);
    const order = await nameForPlugin(timedStore, ref, keyOf);
    return order && { plugin: timedStore.plugin, order };
  }

  async function showDecision({ plugin, order }: Writing): Promise<void> {
    if (!readMoney) return;
    const { reasons } = await readMoney({ storeId, orderId: order.id });
    await showDecisionByPlugin(plugin, order, reasons);
  }

  return {
    ...{ platform: "prestashop", writes: { kind: "conditional" } },
    ...(store.name === undefined ? {} : { name: store.name }),
    ...(store.branding === undefined ? {} : { branding: store.branding }),
    async findOrder(ref, attempt) {
      const order = attempt === "" ? await findByPlugin(store, ref, keyOf) : null;
      return order && toOrder(order, ref, store);
    },
    async markPaid(receipt) {
      const writing = await startWriting(receipt.ref);
      if (!writing) return ORDER_GONE;
      const { plugin, order } = writing;
      const { total, alreadyPaid, acceptedBy } = receipt;
      const asked = { ...order, amount: decimalText(total), currency: total.currency };
      const answer = await markPaidByPlugin(plugin, asked, receipt, notPayable);
      if (answer === null) throw new StoreError("owner", "The module of the shop is outdated: update it.");
      const note = "evidence" in answer ? shortfallNote(receipt, messages, language) : null;
      if (note !== null) await noteByPlugin(plugin, order, note);
      // The order is paid, so a failure here is ignored: the panel on the order's page corrects an outdated mark.
      if (alreadyPaid || acceptedBy !== undefined) await showDecision(writing).catch(() => undefined);
      return answer;
    },
    assertReachable: () => assertPluginReachable(forOneCall(store).plugin),
    async holdForReview(ref, _attempt, finding) {
      const writing = await startWriting(ref);
      if (!writing) return;
      const { plugin, order } = writing;
      await noteByPlugin(plugin, order, heldNote(finding, messages, language));
      if (store.onMismatch === "notify") await holdByPlugin(plugin, order);
      await showDecision(writing);
    },
    async shopperUrl(ref, _attempt, outcome) {
      const order = await findByPlugin(store, ref, keyOf);
      return order ? shopperUrlOf(order, store, outcome) : `${store.url}/`;
    },
    async recordRefund(refund) {
      const { plugin } = forOneCall(store);
      const order = await findByPlugin({ storeId, plugin }, refund.ref, keyOf);
      if (!order) return ORDER_GONE;
      const isHeld = order.status === "review";
      const answer = await showRefundByPlugin(plugin, { refund, order, isHeld, messages, language });
      await showDecision({ plugin, order });
      return answer;
    },
    async addNote(ref, key, text) {
      const writing = await startWriting(ref);
      if (!writing) return;
      await noteByPlugin(writing.plugin, writing.order, { kind: "note", key, text });
      await showDecision(writing);
    },
    async *listUnsettled(since) {
      for await (const { id, status } of listOrdersByPlugin(store.plugin, since))
        if (isUnsettled(status)) yield { ref: { storeId, orderId: id }, attempt: "" };
    },
  };
}
