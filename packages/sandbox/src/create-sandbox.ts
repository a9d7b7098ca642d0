import { createServer } from "node:http";
import { createControl, type SandboxControl } from "./control/control.ts";
import { createListener } from "./create-listener.ts";
import { type BaseClock, createSandboxClock } from "./domain/clock.ts";
import { createIdGenerator } from "./domain/id-generator.ts";
import { mergeSettings, parseStoredSettings, type SettingsPatch } from "./domain/settings.ts";
import { createFaultQueue } from "./faults/fault-queue.ts";
import { rejectExpectation } from "./http/malformed-request.ts";
import { rejectConnect, rejectUnreadable } from "./http/reject-unreadable.ts";
import { closeServer, listenOn } from "./listen.ts";
import { type Keys, readKeys } from "./organizations/api-keys.ts";
import { createOrganization } from "./organizations/organizations.ts";
import { runDueWork } from "./run-due-work.ts";
import type { Activity } from "./runtime/activity.ts";
import { createRateLimits } from "./runtime/rate-limits.ts";
import { createRequestLog } from "./runtime/request-log.ts";
import { createRowHistory } from "./runtime/row-history.ts";
import { createScheduler } from "./runtime/scheduler.ts";
import { type Addresses, inDatabaseTransaction, type Service } from "./runtime/service.ts";
import { openStore, readMeta, type Store, writeMeta } from "./storage/open-store.ts";
import { createWebhookDispatcher } from "./webhooks/webhook-dispatcher.ts";

export type SandboxOptions = {
  /** The port on the loopback interface. The default 0 picks a free port. */
  port?: number;
  /** `:memory:`, the default, or a directory that is created when it does not exist. */
  data?: string;
  /** The base clock, to which the sandbox adds its own offset. The default is the clock of the machine. */
  clock?: BaseClock;
  /** Changes to the stored settings, or to the default settings. */
  settings?: SettingsPatch;
  /** The same seed gives the same ids and keys in a new data directory. */
  seed?: string;
  /** Called for every request to the service's API and every webhook, as it happens. Must not throw. */
  onActivity?: (activity: Activity) => void;
};

export type Sandbox = Addresses & {
  keys: Keys;
  /** The control API as calls in this process. */
  control: SandboxControl;
  close(): Promise<void>;
};

/**
 * Starts the payment service on this machine.
 * @throws Error when another sandbox uses the data directory, or when the port is in use
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const store = await openStore(options.data ?? ":memory:");
  // Without `requireHostHeader`, a request without a Host reaches the listener, which answers with the error object of the API.
  const server = createServer({ keepAliveTimeout: 65_000, requireHostHeader: false });
  try {
    const addresses = await listenOn(server, options.port ?? 0);
    const { service, stop } = await createService(store, options, addresses);
    const keys = await merchantKeys(service);
    const control = createControl(service);
    server.on("request", createListener(service, control));
    server.on("checkExpectation", rejectExpectation(service.ids));
    server.on("clientError", rejectUnreadable(service.ids));
    server.on("connect", rejectConnect(service.ids));
    // Continues the due work that an earlier process left.
    service.paymentScheduler.scheduleAt(service.clock.now());
    service.deliveryScheduler.scheduleAt(service.clock.now());
    return {
      ...addresses,
      keys,
      control,
      async close() {
        await closeServer(server);
        await stop();
        await store.close();
      },
    };
  } catch (error) {
    await closeServer(server);
    await store.close();
    throw error;
  }
}

async function createService(store: Store, options: SandboxOptions, addresses: Addresses) {
  const { clock: base, settings, seed, onActivity = () => undefined } = options;
  const offsetMs = await readMeta(store.database, "clockOffsetMs");
  const clock = createSandboxClock(base ?? Date, typeof offsetMs === "number" ? offsetMs : 0);
  const dispatcher = createWebhookDispatcher();
  const service: Service = {
    store,
    clock,
    ids: createIdGenerator(seed === undefined ? undefined : `${seed}:${await countStart(store)}`),
    faults: createFaultQueue(store, clock.now, await readMeta(store.database, "faults")),
    rateLimits: createRateLimits(),
    requestLog: createRequestLog(),
    rowHistory: { sessions: createRowHistory(), transactions: createRowHistory(), refunds: createRowHistory() },
    addresses,
    onActivity,
    settings: mergeSettings(parseStoredSettings(await readMeta(store.database, "settings")), settings ?? {}),
    paymentScheduler: createScheduler(clock.now, () => runDueWork(service)),
    deliveryScheduler: createScheduler(clock.now, () => dispatcher.run(service)),
  };
  async function stop(): Promise<void> {
    await service.paymentScheduler.close();
    await service.deliveryScheduler.close();
    await dispatcher.close();
  }
  return { service, stop };
}

/** Counts the starts of a data directory. The count is part of the seed, so two starts never create equal ids. */
async function countStart(store: Store): Promise<number> {
  const before = await readMeta(store.database, "starts");
  const starts = typeof before === "number" ? before + 1 : 1;
  await store.write((database) => writeMeta(database, "starts", starts));
  return starts;
}

/** The keys of the first merchant. The first start of a data directory creates this merchant. */
async function merchantKeys(service: Service): Promise<Keys> {
  const { database } = service.store;
  const first = await database.selectFrom("organizations").selectAll().orderBy("created_at").executeTakeFirst();
  if (first !== undefined) return readKeys(database, first.organization_id);
  const { keys } = await inDatabaseTransaction(service, (context) => createOrganization(context, "Marché Démo"));
  return keys;
}
