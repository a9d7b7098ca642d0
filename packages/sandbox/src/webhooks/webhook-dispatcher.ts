import { limits } from "../domain/limits.ts";
import type { Service } from "../runtime/service.ts";
import type { DeliveryRow } from "../storage/webhook-tables.ts";
import { attemptDelivery } from "./attempt-delivery.ts";

export type WebhookDispatcher = {
  /** Starts what is due, waits for none of it, and answers when the next delivery falls due. */
  run(service: Service): Promise<number>;
  /** Ends the attempts that are under way without a trace: they are made again after the next start. */
  close(): Promise<void>;
};

/** Starts due deliveries, a limited number at once, and not too many of them at one slow receiver. */
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
        // A place is free.
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
  return store.rows
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

/** What is due already waits for a free place, which announces itself. */
async function readNextDueTime({ store }: Service, now: number): Promise<number> {
  const row = await store.rows
    .selectFrom("deliveries")
    .select((of) => of.fn.min("due_at").as("at"))
    .where("state", "=", "waiting")
    .where("due_at", ">", now)
    .executeTakeFirst();
  return row?.at ?? Number.POSITIVE_INFINITY;
}
