import { codeOf } from "@tillkit/core";
import type { ScheduledTask } from "@tillkit/runtime";
import { Order, OrderLine, Payment, type RequestContext } from "@vendure/core";
import { pluginLimits } from "../limits.ts";
import type { VendureCheckout } from "../open-checkout.ts";
import { pluginTexts } from "../texts.ts";
import type { VendureServices } from "../vendure-services.ts";
import { lockOrder } from "./lock-row.ts";
import { addOrderNote } from "./order-notes.ts";
import { isSettledByUs, paymentIdOf } from "./paid-by.ts";

const UNPAID_STATES = ["AddingItems", "ArrangingPayment"];

/**
 * The task that finds orders which one of our payments has settled and which are written as unpaid. `refuseStaleWrites` prevents
 * such orders, except those written before it existed and those that something outside of Vendure writes.
 */
export function createPaidOrdersTask(checkout: () => VendureCheckout): ScheduledTask {
  return {
    name: "paid_orders",
    firstDelayMs: pluginLimits.paidOrdersFirstMs,
    intervalMs: pluginLimits.paidOrdersEveryMs,
    run: () => restorePaidOrders(checkout()),
  };
}

async function restorePaidOrders(checkout: VendureCheckout): Promise<void> {
  const { services, log } = checkout;
  const payments = services.connection.getRepository(await services.contextOfAllOrders(), Payment);
  const settled = await payments
    .createQueryBuilder("payment")
    .innerJoinAndSelect("payment.order", "order")
    .where("payment.state = :settled", { settled: "Settled" })
    .andWhere("order.state IN (:...unpaid)", { unpaid: UNPAID_STATES })
    .getMany();
  for (const payment of settled.filter(isSettledByUs)) {
    const { order } = payment;
    // Money that a dispute took back pays no order: its owner may have reopened the order, to be paid again.
    if ((await checkout.ledger.find({ id: paymentIdOf(payment) ?? "" }))?.lostToDispute) continue;
    await restoreOrder(checkout, order.code).catch((error: unknown) =>
      log.warn("order.not_restored", { orderId: order.code, code: codeOf(error) }),
    );
  }
}

/** Restores an order that nothing but its state shows as unpaid. For every other order, a note asks the owner to look at it. */
async function restoreOrder({ services, language, log }: VendureCheckout, code: string): Promise<void> {
  const { connection, orders, contextOfAllOrders } = services;
  await connection.withTransaction(await contextOfAllOrders(), async (transaction) => {
    // Another server may have restored the order meanwhile.
    const locked = await lockOrder(connection, transaction, code);
    if (!locked || !UNPAID_STATES.includes(locked.state)) return;
    const order = await orders.findOneByCode(transaction, code, ["lines", "payments"]);
    if (!order) return;
    const placedAt = isPaidExactly(order) ? await findSettlementTime(services, transaction, order) : null;
    if (placedAt) await writeAsPaid(services, transaction, order, placedAt);
    const { orderRestored, orderOverwritten } = pluginTexts(language);
    const [key, note] = placedAt ? ["restored", orderRestored] : ["overwritten", orderOverwritten];
    await addOrderNote({ services, context: async () => transaction }, code, `${key}:${code}`, note);
    log.warn("order.overwritten", { orderId: code, isRestored: placedAt !== null });
  });
}

function isPaidExactly({ totalWithTax, payments }: Order): boolean {
  const settled = payments.filter(({ state }) => state === "Settled");
  return settled.reduce((sum, { amount }) => sum + amount, 0) === totalWithTax;
}

/** When the order was settled; null if its history does not end with the settlement. */
async function findSettlementTime(
  { history }: VendureServices,
  transaction: RequestContext,
  { id }: Order,
): Promise<Date | null> {
  const { items } = await history.getHistoryForOrder(transaction, id, false);
  const transitions = items.filter(({ type }) => type === "ORDER_STATE_TRANSITION");
  const [last] = transitions.sort((left, right) => right.createdAt.getTime() - left.createdAt.getTime());
  const isSettlement = (last?.data as { to?: unknown } | undefined)?.to === "PaymentSettled";
  return last && isSettlement ? last.createdAt : null;
}

// Written directly, because Vendure made the transition already: making it again would allocate the stock twice.
async function writeAsPaid(
  { connection }: VendureServices,
  transaction: RequestContext,
  { id, lines }: Order,
  orderPlacedAt: Date,
): Promise<void> {
  const lineRows = connection.getRepository(transaction, OrderLine);
  for (const line of lines) await lineRows.update(line.id, { orderPlacedQuantity: line.quantity });
  await connection
    .getRepository(transaction, Order)
    .update(id, { state: "PaymentSettled", active: false, orderPlacedAt });
}
