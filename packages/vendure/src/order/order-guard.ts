import { type Injector, Order, type OrderProcess, Payment, TransactionalConnection } from "@vendure/core";
import { languageOf, pluginTexts } from "../texts.ts";
import { paymentIdOf } from "./paid-by.ts";

const UNPAID_STATES = ["AddingItems", "ArrangingPayment"];

/**
 * Refuses a change of an unpaid order's state while a payment settles it. Vendure reads an order, decides and writes the whole order
 * later: a shopper who reopens or cancels at that moment would undo the payment, and Vendure would detach it from the order. Here the
 * change waits for the settlement and then finds another state than the one it read.
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
      // Not FOR UPDATE: inserting a payment shares a lock on the order's key, and the two would wait for each other.
      const now = await connection
        .getRepository(ctx, Order)
        .createQueryBuilder("order")
        .setLock("for_no_key_update")
        .where("order.id = :id", { id: order.id })
        .getOne();
      if (now && now.state !== fromState) return paymentUnderWay;
      // Vendure saves the payments that it read before it waited: those that it does not know would lose their order.
      const rows = connection.getRepository(ctx, Payment);
      order.payments = await rows.find({ where: { order: { id: order.id } }, relations: ["refunds"] });
      return toState === "AddingItems" && order.payments.some(isSettledByUs) ? paymentUnderWay : undefined;
    },
  };
}

function isSettledByUs(payment: Payment): boolean {
  return payment.state === "Settled" && paymentIdOf(payment) !== null;
}
