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
  const abortController = new AbortController();

  function start(service: Service, delivery: DeliveryRow): void {
    const done = attemptDelivery(service, delivery, abortController.signal)
      .catch((error: Error) => {
        if (!abortController.signal.aborted) process.emitWarning(error);
      })
      .finally(() => {
        inFlight.delete(delivery.delivery_id);
        // A slot is free for the next due delivery.
        service.deliveryScheduler.scheduleAt(service.clock.now());
      });
    inFlight.set(delivery.delivery_id, { webhookId: delivery.webhook_id, done });
  }

  function inFlightAt(webhookId: string): number {
    return [...inFlight.values()].filter((attempt) => attempt.webhookId === webhookId).length;
  }

  return {
    async run(service) {
      const now = service.clock.now();
      const busyEndpointIds = [...new Set([...inFlight.values()].map((attempt) => attempt.webhookId))].filter(
        (webhookId) => inFlightAt(webhookId) >= limits.deliveriesAtOncePerEndpoint,
      );
      const due = await readDueDeliveries(service, now, { inFlightIds: [...inFlight.keys()], busyEndpointIds });
      for (const delivery of due) {
        if (inFlight.size >= limits.deliveriesAtOnce) break;
        if (inFlightAt(delivery.webhook_id) < limits.deliveriesAtOncePerEndpoint) start(service, delivery);
      }
      return readNextDueTime(service, now);
    },
    async close() {
      abortController.abort();
      await Promise.all([...inFlight.values()].map((attempt) => attempt.done));
    },
  };
}

/** Deliveries that a run leaves out: those in flight, and those to an endpoint that has its full number in flight. */
type Excluded = { inFlightIds: readonly string[]; busyEndpointIds: readonly string[] };

async function readDueDeliveries(
  { store }: Service,
  now: number,
  { inFlightIds, busyEndpointIds }: Excluded,
): Promise<readonly DeliveryRow[]> {
  return store.database
    .selectFrom("deliveries")
    .selectAll()
    .where("state", "=", "waiting")
    .where("due_at", "<=", now)
    .$if(inFlightIds.length > 0, (query) => query.where("delivery_id", "not in", inFlightIds))
    .$if(busyEndpointIds.length > 0, (query) => query.where("webhook_id", "not in", busyEndpointIds))
    .orderBy("due_at")
    .orderBy("seq")
    .limit(limits.deliveriesAtOnce)
    .execute();
}

/** The next due time after `now`. Deliveries that are due already wait for a free slot, and each slot that becomes free triggers a run. */
async function readNextDueTime({ store }: Service, now: number): Promise<number> {
  const row = await store.database
    .selectFrom("deliveries")
    .select((builder) => builder.fn.min("due_at").as("at"))
    .where("state", "=", "waiting")
    .where("due_at", ">", now)
    .executeTakeFirst();
  return row?.at ?? Number.POSITIVE_INFINITY;
}
