import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createRateLimits } from "./api/rate-limit.ts";
import { createRequestLog } from "./api/request-log.ts";
import { consolePath } from "./console/address.ts";
import { createControl, type SandboxControl } from "./control/control.ts";
import { checkoutPath, controlPath, createListener } from "./http/answer-http.ts";
import { refuseUnreadable } from "./http/refuse-unreadable.ts";
import { createOrganization, type Keys, keysOf } from "./payments/organizations.ts";
import { runTimetable } from "./payments/timetable.ts";
import { createAlarm } from "./service/alarm.ts";
import { type BaseClock, createSandboxClock } from "./service/clock.ts";
import { createEarlierRows } from "./service/earlier-rows.ts";
import { createFaults } from "./service/faults.ts";
import { createIds } from "./service/ids.ts";
import { type Addresses, changeState, type Service } from "./service/service.ts";
import { changeSettings, type SettingsPatch, storedSettings } from "./service/settings.ts";
import { openStore, readMeta, type Store, writeMeta } from "./storage/open-store.ts";
import { createPostOffice } from "./webhooks/post-office.ts";

export type SandboxOptions = {
  /** 0, the default: a free port. Always on the loopback interface. */
  port?: number;
  /** `:memory:`, the default, or a directory that is created when it does not exist. */
  data?: string;
  /** The time below the sandbox's own offset; default the machine's. */
  clock?: BaseClock;
  /** Changes to the stored settings, or to the defaults. */
  settings?: SettingsPatch;
  /** The same seed gives the same ids and keys in a new data directory. */
  seed?: string;
};

export type Sandbox = Addresses & {
  keys: Keys;
  /** The control API as calls in this process. */
  control: SandboxControl;
  close(): Promise<void>;
};

/**
 * Starts the payment service on this machine.
 * @throws Error when another sandbox holds the data directory, or the port is taken
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const store = await openStore(options.data ?? ":memory:");
  const server = createServer({ keepAliveTimeout: 65_000 });
  try {
    const addresses = await listenOn(server, options.port ?? 0);
    const { service, stop } = await createService(store, options, addresses);
    const keys = await merchantKeys(service);
    const control = createControl(service);
    server.on("request", createListener(service, control));
    server.on("clientError", refuseUnreadable(service.ids));
    // What was left undone by the last process.
    service.timetable.expect(service.clock.now());
    service.postman.expect(service.clock.now());
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

async function createService(store: Store, { clock: base, settings, seed }: SandboxOptions, addresses: Addresses) {
  const offsetMs = await readMeta(store.rows, "clockOffsetMs");
  const clock = createSandboxClock(base ?? Date, typeof offsetMs === "number" ? offsetMs : 0);
  const postOffice = createPostOffice();
  const service: Service = {
    store,
    clock,
    ids: createIds(seed === undefined ? undefined : `${seed}:${await countStart(store)}`),
    faults: createFaults(store, clock.now, await readMeta(store.rows, "faults")),
    rates: createRateLimits(),
    requests: createRequestLog(),
    earlier: { sessions: createEarlierRows(), transactions: createEarlierRows(), refunds: createEarlierRows() },
    addresses,
    settings: changeSettings(storedSettings(await readMeta(store.rows, "settings")), settings ?? {}),
    timetable: createAlarm(clock.now, () => runTimetable(service)),
    postman: createAlarm(clock.now, () => postOffice.run(service)),
  };
  async function stop(): Promise<void> {
    await service.timetable.close();
    await service.postman.close();
    await postOffice.close();
  }
  return { service, stop };
}

/** A seed must not give the same ids twice into one directory: each start has a number. */
async function countStart(store: Store): Promise<number> {
  const before = await readMeta(store.rows, "starts");
  const starts = typeof before === "number" ? before + 1 : 1;
  await store.write((rows) => writeMeta(rows, "starts", starts));
  return starts;
}

/** The keys of the first merchant, who is there from the first start. */
async function merchantKeys(service: Service): Promise<Keys> {
  const { rows } = service.store;
  const first = await rows.selectFrom("organizations").selectAll().orderBy("created_at").executeTakeFirst();
  if (first !== undefined) return keysOf(rows, first.organization_id);
  const { keys } = await changeState(service, (change) => createOrganization(change, "Marché Démo"));
  return keys;
}

async function listenOn(server: Server, port: number): Promise<Addresses> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EADDRINUSE") throw cause;
    throw new Error(`Port ${port} is taken: stop what listens there, or choose another --port.`, { cause });
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl,
    checkoutBaseUrl: baseUrl + checkoutPath,
    consoleUrl: baseUrl + consolePath,
    controlUrl: baseUrl + controlPath,
  };
}

async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
