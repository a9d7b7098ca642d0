import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework";
import { noteCanceledOrder } from "../admin-api/note-canceled-order.ts";
import type { TillkitModule } from "../modules/tillkit/index.ts";

/** Medusa emits this event after an order was canceled, also by a workflow of the store's own code. */
export const config: SubscriberConfig = { event: "order.canceled" };

export default async function orderCanceled({ event, container }: SubscriberArgs<{ id: string }>): Promise<void> {
  await noteCanceledOrder(await container.resolve<TillkitModule>("tillkit").runtime(), event.data.id);
}
