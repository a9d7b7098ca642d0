import { type Injector, Order, type OrderProcess, Payment, TransactionalConnection } from "@vendure/core";
import { languageOf, pluginTexts } from "../texts.ts";
import { isSettledByUs } from "./paid-by.ts";

const UNPAID_STATES = ["AddingItems", "ArrangingPayment"];

/**
 * Refuses a change of an unpaid order's state while a payment settles the order. Vendure reads an order, decides, and later writes the
 * whole order. Without this guard, a shopper who reopens or cancels the order between the read and the write would undo the payment,
 * and Vendure would detach the payment from the order. The guard waits for the settlement and then compares the state with the state
 * that Vendure read.
 */
export function createOrderGuard(): OrderProcess<string> {
  let connection: TransactionalConnection;
  return {
    init(injector: Injector) {
      connection = injector.get(TransactionalConnection);
    },
    async onTransitionStart(fromState, toState, { ctx, order }) {
      if (!UNPAID_STATES.includes(fromState)) return undefined;
      const { paymentUnderWay } = pluginTexts(languageOf(ctx));
      // Not FOR UPDATE, which would deadlock: a transaction that inserts a payment holds a shared lock on the order's key.
      const current = await connection
        .getRepository(ctx, Order)
        .createQueryBuilder("order")
        .setLock("for_no_key_update")
        .where("order.id = :id", { id: order.id })
        .getOne();
      if (current && current.state !== fromState) return paymentUnderWay;
      // Vendure will save this list, which it read before it waited here. A newer payment that is missing in it would lose its order.
      const rows = connection.getRepository(ctx, Payment);
      order.payments = await rows.find({ where: { order: { id: order.id } }, relations: ["refunds"] });
      return toState === "AddingItems" && order.payments.some(isSettledByUs) ? paymentUnderWay : undefined;
    },
  };
}
