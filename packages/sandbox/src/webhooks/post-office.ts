import { limits } from "../limits.ts";
import type { Service } from "../service/service.ts";
import type { DeliveryRow } from "../storage/tables.ts";
import { attemptDelivery } from "./attempt.ts";

export type PostOffice = {
  /** Starts what is due, waits for none of it, and answers when the next delivery falls due. */
  run(service: Service): Promise<number>;
  /** Ends the attempts that are under way without a trace: they are made again after the next start. */
  close(): Promise<void>;
};

/** Starts due deliveries, a limited number at once, and not too many of them at one slow receiver. */
export function createPostOffice(): PostOffice {
  const underWay = new Map<string, { webhookId: string; done: Promise<void> }>();
  const stop = new AbortController();

  function start(service: Service, delivery: DeliveryRow): void {
    const done = attemptDelivery(service, delivery, stop.signal)
      .catch((error: Error) => {
        if (!stop.signal.aborted) process.emitWarning(error);
      })
      .finally(() => {
        underWay.delete(delivery.delivery_id);
        // A place is free.
        service.postman.expect(service.clock.now());
      });
    underWay.set(delivery.delivery_id, { webhookId: delivery.webhook_id, done });
  }

  function atWork(webhookId: string): number {
    return [...underWay.values()].filter((one) => one.webhookId === webhookId).length;
  }

  return {
    async run(service) {
      const now = service.clock.now();
      const busy = [...new Set([...underWay.values()].map((one) => one.webhookId))].filter(
        (webhookId) => atWork(webhookId) >= limits.deliveriesAtOncePerEndpoint,
      );
      for (const delivery of await dueDeliveries(service, now, [...underWay.keys()], busy)) {
        if (underWay.size >= limits.deliveriesAtOnce) break;
        if (atWork(delivery.webhook_id) < limits.deliveriesAtOncePerEndpoint) start(service, delivery);
      }
      return nextDelivery(service, now);
    },
    async close() {
      stop.abort();
      await Promise.all([...underWay.values()].map((one) => one.done));
    },
  };
}

async function dueDeliveries(
  { store }: Service,
  now: number,
  underWay: readonly string[],
  busy: readonly string[],
): Promise<readonly DeliveryRow[]> {
  return store.rows
    .selectFrom("deliveries")
    .selectAll()
    .where("state", "=", "waiting")
    .where("due_at", "<=", now)
    .$if(underWay.length > 0, (query) => query.where("delivery_id", "not in", underWay))
    .$if(busy.length > 0, (query) => query.where("webhook_id", "not in", busy))
    .orderBy("due_at")
    .orderBy("seq")
    .limit(limits.deliveriesAtOnce)
    .execute();
}

/** What is due already waits for a free place, which announces itself. */
async function nextDelivery({ store }: Service, now: number): Promise<number> {
  const row = await store.rows
    .selectFrom("deliveries")
    .select((of) => of.fn.min("due_at").as("at"))
    .where("state", "=", "waiting")
    .where("due_at", ">", now)
    .executeTakeFirst();
  return row?.at ?? Number.POSITIVE_INFINITY;
}
