import { I18nService, type Injector, Order, Payment, TransactionalConnection, UserInputError } from "@vendure/core";
import { pluginTexts } from "../texts.ts";
import { isSettledByUs } from "./paid-by.ts";

const STATES_BEFORE_PAYMENT = ["Created", "Draft", "AddingItems", "ArrangingPayment"];

/** Vendure shows the text of this key in the language of the request. */
const JUST_PAID = "tillkit-order-was-just-paid";

/** What TypeORM tells its subscribers about an update. `entity`: what is written, an order or some of its columns. */
type OrderUpdate = {
  readonly entity: Partial<Pick<Order, "id" | "state">> | undefined;
  readonly manager: TransactionalConnection["rawConnection"]["manager"];
};

/**
 * Refuses to write an order as unpaid if one of our payments has settled it. Vendure reads an order, changes one part, and later
 * writes all columns that differ from the database, the state too. Without this guard, a shopper who changes an address, the customer
 * or a coupon while a payment settles the order would make the paid order an unpaid one.
 */
export function refuseStaleWrites(injector: Injector): void {
  const translations = injector.get(I18nService);
  for (const language of ["en", "fr"] as const) {
    translations.addTranslation(language, { error: { [JUST_PAID]: pluginTexts(language).paymentUnderWay } });
  }
  // TypeORM ignores subscribers from a plugin's configuration.
  injector.get(TransactionalConnection).rawConnection.subscribers.push({ listenTo: () => Order, beforeUpdate });
}

async function beforeUpdate({ entity, manager }: OrderUpdate): Promise<void> {
  const { id, state = "" } = entity ?? {};
  if (id === undefined || !STATES_BEFORE_PAYMENT.includes(state)) return;
  // Waits for the settlement, which locks this row until its commit. Not FOR UPDATE, which would deadlock: a transaction that inserts
  // a row of this order holds a shared lock on the order's key.
  const rows = manager.getRepository(Order).createQueryBuilder("order").setLock("for_no_key_update");
  await rows.where("order.id = :id", { id }).getOne();
  const payments = await manager.getRepository(Payment).find({ where: { order: { id } } });
  if (payments.some(isSettledByUs)) throw new UserInputError(`error.${JUST_PAID}`);
}
