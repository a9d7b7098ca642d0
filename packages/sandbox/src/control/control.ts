import { notFound } from "../domain/api-error.ts";
import type { Page } from "../http/pagination.ts";
import type { RequestRecord } from "../runtime/request-log.ts";
import { inDatabaseTransaction, type Service } from "../runtime/service.ts";
import { redeliverEvent } from "../webhooks/events.ts";
import { type DeliveryRecord, listDeliveries } from "./delivery-records.ts";
import { type EventRecord, listEvents } from "./event-records.ts";
import { type MoneyControl, moneyControl } from "./money-control.ts";
import { type NetworkControl, networkControl } from "./network-control.ts";
import { type OrganizationControl, organizationControl } from "./organization-control.ts";
import { type PaymentControl, paymentControl } from "./payment-control.ts";
import { resetState } from "./reset.ts";
import { type ServiceControl, serviceControl } from "./service-control.ts";
import { sessionIdOf } from "./session-records.ts";
import { loadSnapshot, type SnapshotRecord, saveSnapshot } from "./snapshots.ts";

/** The control API as calls in the same process. Every call throws an `ApiError` when it rejects its input. */
export type SandboxControl = ServiceControl &
  PaymentControl &
  OrganizationControl &
  NetworkControl &
  MoneyControl & {
    /** Newest first, at most 100 unless `page` sets a limit. */
    listEvents(filter?: { sessionId?: string; page?: Page }): Promise<readonly EventRecord[]>;
    /** Sends an event again to every subscribed endpoint. Returns the ids of the new deliveries. */
    deliverEvent(eventId: string): Promise<{ deliveries: readonly string[] }>;
    listDeliveries(filter?: { eventId?: string; page?: Page }): Promise<readonly DeliveryRecord[]>;
    listRequests(requestId?: string): readonly RequestRecord[];
    /** Saves the whole state under a name. */
    saveSnapshot(name: string): Promise<SnapshotRecord>;
    /** Restores the whole state of the snapshot, including settings, faults and clock. */
    loadSnapshot(name: string): Promise<SnapshotRecord>;
    /** Deletes everything except merchants, keys, Operators with their members, snapshots, settings and clock. */
    reset(): Promise<void>;
  };

const firstPage: Page = { limit: 100, offset: 0 };

export function createControl(service: Service): SandboxControl {
  const { store } = service;
  return {
    ...serviceControl(service),
    ...paymentControl(service),
    ...organizationControl(service),
    ...networkControl(service),
    ...moneyControl(service),
    async listEvents({ sessionId, page = firstPage } = {}) {
      const sessionUuid = await sessionIdOf(store.database, sessionId ?? null);
      return (await listEvents(store.database, page, { sessionId: sessionUuid })).items;
    },
    async deliverEvent(eventId) {
      const event = await store.database
        .selectFrom("events")
        .selectAll()
        .where("event_id", "=", eventId)
        .executeTakeFirst();
      if (event === undefined) throw notFound("Event");
      return { deliveries: await inDatabaseTransaction(service, (context) => redeliverEvent(context, event)) };
    },
    listDeliveries: async ({ eventId, page = firstPage } = {}) =>
      (await listDeliveries(store.database, page, { eventId: eventId ?? null })).items,
    listRequests: (requestId) => service.requestLog.list(requestId),
    saveSnapshot: (name) => saveSnapshot(service, name),
    loadSnapshot: (name) => loadSnapshot(service, name),
    reset: () => resetState(service),
  };
}
