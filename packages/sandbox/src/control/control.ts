import type { Page } from "../api/list.ts";
import type { RequestRecord } from "../api/request-log.ts";
import {
  changeMerchantSettings,
  type MerchantSettings,
  type MerchantSettingsChange,
  merchantSettings,
  merchantSettingsSchema,
} from "../payments/merchant-settings.ts";
import { type FailureCode, failureMessages } from "../payments/methods.ts";
import { createOrganization, type Keys, keysOf, readOrganization } from "../payments/organizations.ts";
import { readSession, sessionJson } from "../payments/sessions.ts";
import {
  completeTransaction,
  expireSession,
  failTransaction,
  readTransaction,
  transactionJson,
} from "../payments/transactions.ts";
import { iso } from "../service/clock.ts";
import type { Fault, FaultRequest } from "../service/fault-request.ts";
import { notFound, Refusal } from "../service/refusal.ts";
import { changeState, type Service } from "../service/service.ts";
import { changeSettings, type Settings, type SettingsPatch } from "../service/settings.ts";
import { writeMeta } from "../storage/open-store.ts";
import type { OrganizationRow } from "../storage/tables.ts";
import { redeliverEvent } from "../webhooks/events.ts";
import { type MoneyControl, moneyControl } from "./money.ts";
import { moveClock } from "./move-clock.ts";
import { type NetworkControl, networkControl } from "./network.ts";
import { readWish } from "./network-wishes.ts";
import { type PayWish, payAsTold } from "./pay-session.ts";
import { type DeliveryRecord, type EventRecord, listDeliveries, listEvents } from "./records.ts";
import { resetState } from "./reset.ts";
import { loadSnapshot, type SnapshotRecord, saveSnapshot } from "./snapshots.ts";

export type ClockReading = { now: string; offsetMs: number };
export type Organization = MerchantSettings & {
  organization_id: string;
  merchant_id: string;
  name: string;
  status: string;
  keys: Keys;
};
type Json = Record<string, unknown>;

/** The control API as calls in the same process; every one of them throws a `Refusal` for what cannot be. */
export type SandboxControl = NetworkControl &
  MoneyControl & {
    readSettings(): Settings;
    changeSettings(patch: SettingsPatch): Promise<Settings>;
    readClock(): ClockReading;
    /** Resolves when everything that fell due is done; deliveries are started, not awaited. */
    advanceClock(advanceMs: number): Promise<ClockReading>;
    listFaults(): readonly Fault[];
    addFault(fault: FaultRequest): Promise<Fault>;
    clearFaults(): Promise<void>;
    /** Answers the transaction. */
    paySession(sessionId: string, wish: PayWish): Promise<Json>;
    /** Answers the session. */
    expireSession(sessionId: string): Promise<Json>;
    completeTransaction(transactionId: string): Promise<Json>;
    failTransaction(transactionId: string, failureCode?: FailureCode): Promise<Json>;
    /** Newest first, 100 at most unless `page` says otherwise. */
    listEvents(filter?: { sessionId?: string; page?: Page }): Promise<readonly EventRecord[]>;
    /** Sends an event once more to whoever is subscribed now; answers the ids of the new deliveries. */
    deliverEvent(eventId: string): Promise<{ deliveries: readonly string[] }>;
    listDeliveries(filter?: { eventId?: string; page?: Page }): Promise<readonly DeliveryRecord[]>;
    listRequests(requestId?: string): readonly RequestRecord[];
    listOrganizations(): Promise<readonly Organization[]>;
    createOrganization(name: string): Promise<Organization>;
    updateOrganization(
      organizationId: string,
      change: MerchantSettingsChange & { name?: string; status?: "active" | "suspended" },
    ): Promise<Organization>;
    /** Keeps everything as it is now under a name. */
    saveSnapshot(name: string): Promise<SnapshotRecord>;
    /** Everything is as it was when the snapshot was saved, settings, faults and clock included. */
    loadSnapshot(name: string): Promise<SnapshotRecord>;
    /** Everything is forgotten but merchants, keys, settings and clock. */
    reset(): Promise<void>;
  };

const firstPage: Page = { limit: 100, offset: 0 };

export function createControl(service: Service): SandboxControl {
  const { store } = service;
  return {
    ...steering(service),
    ...payments(service),
    ...organizations(service),
    ...networkControl(service),
    ...moneyControl(service),
    listEvents: async ({ sessionId, page = firstPage } = {}) =>
      (await listEvents(store.rows, page, { sessionId: sessionId ?? null })).items,
    async deliverEvent(eventId) {
      const event = await store.rows
        .selectFrom("events")
        .selectAll()
        .where("event_id", "=", eventId)
        .executeTakeFirst();
      if (event === undefined) throw notFound("Event");
      return { deliveries: await changeState(service, (change) => redeliverEvent(change, event)) };
    },
    listDeliveries: async ({ eventId, page = firstPage } = {}) =>
      (await listDeliveries(store.rows, page, { eventId: eventId ?? null })).items,
    listRequests: (requestId) => service.requests.list(requestId),
    saveSnapshot: (name) => saveSnapshot(service, name),
    loadSnapshot: (name) => loadSnapshot(service, name),
    reset: () => resetState(service),
  };
}

type Steering = Pick<
  SandboxControl,
  "readSettings" | "changeSettings" | "readClock" | "advanceClock" | "listFaults" | "addFault" | "clearFaults"
>;

function steering(service: Service): Steering {
  const reading = (): ClockReading => ({ now: iso(service.clock.now()), offsetMs: service.clock.offsetMs() });
  return {
    readSettings: () => service.settings,
    async changeSettings(patch) {
      const next = changeSettings(service.settings, patch);
      await service.store.write((rows) => writeMeta(rows, "settings", next));
      service.settings = next;
      return next;
    },
    readClock: reading,
    async advanceClock(advanceMs) {
      await moveClock(service, advanceMs);
      return reading();
    },
    listFaults: () => service.faults.list(),
    addFault: (fault) => service.faults.add(fault),
    clearFaults: () => service.faults.clear(),
  };
}

type Payments = Pick<SandboxControl, "paySession" | "expireSession" | "completeTransaction" | "failTransaction">;

function payments(service: Service): Payments {
  return {
    async paySession(sessionId, wish) {
      await service.timetable.catchUp();
      return payAsTold(service, sessionId, wish);
    },
    async expireSession(sessionId) {
      await service.timetable.catchUp();
      const session = await changeState(service, async (change) => {
        const { status } = await readSession(change.rows, sessionId);
        if (status !== "open") throw new Refusal("conflict", `The checkout session is ${status}`);
        await expireSession(change, sessionId);
        return readSession(change.rows, sessionId);
      });
      return sessionJson(service, session);
    },
    async completeTransaction(transactionId) {
      await service.timetable.catchUp();
      return transactionJson(
        await changeState(service, async (change) =>
          completeTransaction(change, await readTransaction(change.rows, transactionId)),
        ),
      );
    },
    async failTransaction(transactionId, failureCode = "card_declined") {
      if (!Object.hasOwn(failureMessages, failureCode)) {
        const known = Object.keys(failureMessages).join(", ");
        throw new Refusal("bad_request", `failure_code must be one of ${known}.`);
      }
      await service.timetable.catchUp();
      return transactionJson(
        await changeState(service, async (change) =>
          failTransaction(change, await readTransaction(change.rows, transactionId), failureCode),
        ),
      );
    },
  };
}

type Organizations = Pick<SandboxControl, "listOrganizations" | "createOrganization" | "updateOrganization">;

function organizations(service: Service): Organizations {
  const shown = async (row: OrganizationRow): Promise<Organization> => ({
    organization_id: row.organization_id,
    merchant_id: row.merchant_id,
    name: row.name,
    status: row.status,
    ...merchantSettings(row),
    keys: await keysOf(service.store.rows, row.organization_id),
  });
  return {
    async listOrganizations() {
      const rows = await service.store.rows.selectFrom("organizations").selectAll().orderBy("created_at").execute();
      return Promise.all(rows.map(shown));
    },
    async createOrganization(name) {
      refuseName(name);
      const { organization } = await changeState(service, (change) => createOrganization(change, name));
      return shown(organization);
    },
    async updateOrganization(organizationId, { name, status, ...wish }) {
      if (name !== undefined) refuseName(name);
      if (status !== undefined && status !== "active" && status !== "suspended") {
        throw new Refusal("bad_request", "status must be active or suspended.");
      }
      const settings = readWish(merchantSettingsSchema, wish);
      const changed = await changeState(service, async ({ rows }) => {
        const before = await readOrganization(rows, organizationId);
        await rows
          .updateTable("organizations")
          .set({ name: name ?? before.name, status: status ?? before.status })
          .where("organization_id", "=", organizationId)
          .execute();
        await changeMerchantSettings(rows, before, settings);
        return readOrganization(rows, organizationId);
      });
      return shown(changed);
    },
  };
}

function refuseName(name: unknown): void {
  if (typeof name === "string" && name.trim() !== "" && name.length <= 100) return;
  throw new Refusal("bad_request", "name must be a text of 1 to 100 characters.");
}
