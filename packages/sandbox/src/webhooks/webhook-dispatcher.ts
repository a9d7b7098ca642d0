import { limits } from "../domain/limits.ts";
import type { Service } from "../runtime/service.ts";
import type { DeliveryRow } from "../storage/webhook-tables.ts";
import { attemptDelivery } from "./attempt-delivery.ts";

export type WebhookDispatcher = {
  /** Starts the due deliveries without awaiting them, and returns the next due time. */
  run(service: Service): Promise<number>;
  /** Aborts the attempts in flight without recording them. The next start repeats them. */
  close(): Promise<void>;
};

/** Dispatches due deliveries with a limit on all deliveries in flight and on those of one endpoint. */
export function createWebhookDispatcher(): WebhookDispatcher {
  const inFlight = new Map<string, { webhookId: string; done: Promise<void> }>();
  const stop = new AbortController();

  function start(service: Service, delivery: DeliveryRow): void {
    const done = attemptDelivery(service, delivery, stop.signal)
      .catch((error: Error) => {
        if (!stop.signal.aborted) process.emitWarning(error);
      })
      .finally(() => {
        inFlight.delete(delivery.delivery_id);
        // A slot is free for the next due delivery.
        service.deliveryScheduler.scheduleAt(service.clock.now());
      });
    inFlight.set(delivery.delivery_id, { webhookId: delivery.webhook_id, done });
  }

  function inFlightAt(webhookId: string): number {
    return [...inFlight.values()].filter((one) => one.webhookId === webhookId).length;
  }

  return {
    async run(service) {
      const now = service.clock.now();
      const saturated = [...new Set([...inFlight.values()].map((one) => one.webhookId))].filter(
        (webhookId) => inFlightAt(webhookId) >= limits.deliveriesAtOncePerEndpoint,
      );
      for (const delivery of await readDueDeliveries(service, now, [...inFlight.keys()], saturated)) {
        if (inFlight.size >= limits.deliveriesAtOnce) break;
        if (inFlightAt(delivery.webhook_id) < limits.deliveriesAtOncePerEndpoint) start(service, delivery);
      }
      return readNextDueTime(service, now);
    },
    async close() {
      stop.abort();
      await Promise.all([...inFlight.values()].map((one) => one.done));
    },
  };
}

async function readDueDeliveries(
  { store }: Service,
  now: number,
  inFlight: readonly string[],
  saturated: readonly string[],
): Promise<readonly DeliveryRow[]> {
  return store.database
    .selectFrom("deliveries")
    .selectAll()
    .where("state", "=", "waiting")
    .where("due_at", "<=", now)
    .$if(inFlight.length > 0, (query) => query.where("delivery_id", "not in", inFlight))
    .$if(saturated.length > 0, (query) => query.where("webhook_id", "not in", saturated))
    .orderBy("due_at")
    .orderBy("seq")
    .limit(limits.deliveriesAtOnce)
    .execute();
}

/** The due time of the next delivery in the future. Due deliveries wait for a free slot, which triggers a run itself. */
async function readNextDueTime({ store }: Service, now: number): Promise<number> {
  const row = await store.database
    .selectFrom("deliveries")
    .select((builder) => builder.fn.min("due_at").as("at"))
    .where("state", "=", "waiting")
    .where("due_at", ">", now)
    .executeTakeFirst();
  return row?.at ?? Number.POSITIVE_INFINITY;
}
