import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createServiceClient, type ServiceClient } from "@tillkit/client";
import type { StoreErrorCode } from "@tillkit/core";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { PATIENCE_MS } from "../../waiting/patience.ts";
import { makeFolder } from "../temporary-folder.ts";
import { CONTINUED_AT } from "./child/freezer.ts";
import { copyLedger } from "./copy-ledger.ts";
import { type LoadBalancer, startLoadBalancer } from "./load-balancer.ts";
import {
  type CrashPoint,
  ENDPOINT_ID,
  type FreezePoint,
  type Requests,
  type Role,
  type StartOptions,
} from "./messages.ts";
import { createMovableClock, type MovableClock } from "./movable-clock.ts";
import { ProcessDied, type ProcessPool, RequestRejected, type ServerProcess } from "./server-process.ts";
import { openShop, type Shop } from "./shop.ts";

export type FixtureOptions = {
  readonly processes: ProcessPool;
  /** Null for a SQLite file in the case's own folder. */
  readonly postgresUrl: string | null;
  readonly roles: readonly Role[];
  /** Returns where a process kills itself, or null. `start` counts the starts of this process from 0. */
  readonly crashPointOf?: (fixture: KillFixture, start: number) => CrashPoint | null;
  /** Where the first process to arrive stops itself, in this folder. Null: nowhere. */
  readonly freezePoint?: Omit<FreezePoint, "folder">;
  /** Called between the death of a process and its next start. */
  readonly beforeRestart?: (fixture: KillFixture) => Promise<void>;
  readonly onAcknowledged?: (fixture: KillFixture) => void;
  /** Whether owners connect their shops themselves. `shop` then has no part in the case. */
  readonly selfService?: boolean;
  readonly settings?: Parameters<Sandbox["control"]["changeSettings"]>[0];
  /** Whether the machine of the ledger may die, so that every refused request is sent again. */
  readonly isLedgerMortal?: boolean;
  /** Whether processes record how much of their write-ahead log is on the disk. */
  readonly recordsSyncedWalLength?: boolean;
};

/** The shops and the service run in this process; the merchant's servers run in their own processes and restart when they die. */
export type KillFixture = {
  readonly clock: MovableClock;
  readonly shop: Shop;
  /** The service, which uses `clock` too. */
  readonly sandbox: Sandbox;
  readonly service: ServiceClient;
  readonly webhookSecret: string;
  readonly loadBalancer: LoadBalancer;
  readonly ledgerUrl: string;
  /** The folder of the ledger's file and of the record of its durable length. */
  readonly folder: string;
  readonly kills: () => number;
  readonly liveProcesses: () => readonly ServerProcess[];
  /** @throws Error if a process ended for another reason than a kill */
  throwIfFailed(): void;
  /** Sends a request to one server process after another, until a process lives long enough to answer. */
  request<What extends keyof Requests>(what: What, input: Requests[What]["input"]): Promise<Requests[What]["result"]>;
  /** Copies the ledger's file while all processes are stopped. */
  backUpLedger(): Promise<void>;
  /** Puts the copy back while all processes are stopped. */
  restoreLedger(): Promise<void>;
  /** When the copy was put back, or null. */
  readonly restoredAt: () => number | null;
  /** Continues the frozen process. Returns whether one was frozen. */
  thaw(): Promise<boolean>;
  /** Advances the time of all processes. */
  advanceTime(ms: number): Promise<void>;
  activity(): Promise<Activity>;
  /** Stops all processes. */
  close(): Promise<void>;
};

/** `until`: when the next event is due, or Infinity. */
export type Activity =
  | { readonly status: "busy" }
  | { readonly status: "shop busy" | "at rest"; readonly until: number };

const BUSY: Activity = { status: "busy" };
const EVENTS = [
  "PAYMENT_CREATED",
  "PAYMENT_SUCCEEDED",
  "PAYMENT_FAILED",
  "REFUND_CREATED",
  "REFUND_COMPLETED",
  "REFUND_FAILED",
  "DISPUTE_CREATED",
  "DISPUTE_UPDATED",
  "DISPUTE_CLOSED",
] as const;
const NEVER = Number.POSITIVE_INFINITY;

export async function openFixture(options: FixtureOptions): Promise<KillFixture> {
  const { processes, roles } = options;
  const clock = createMovableClock();
  const folder = await makeFolder("kills");
  // The callback of a shop is one request without a retry: the process that receives it may die.
  const shop = openShop(clock, async (paymentId) => {
    const process = nextServer();
    if (!process) throw new ProcessDied();
    return await process.request("verify", { paymentId });
  });
  const sandbox = await createSandbox({ clock, settings: { ratePolicy: "off", ...options.settings } });
  const ledgerFile = join(folder.path, "ledger.db");
  const slots: (ServerProcess | null)[] = roles.map(() => null);
  let kills = 0;
  let failure: unknown = null;
  let closed = false;
  let whileStopped: (() => Promise<void>) | null = null;
  let restoredAt: number | null = null;
  let lastTask: Promise<unknown> = Promise.resolve();
  let turn = 0;

  const loadBalancer = await startLoadBalancer({
    pickPort: () => nextServer()?.port ?? null,
    callShop: shop.call,
    now: clock.now,
    onAcknowledged: () => options.onAcknowledged?.(fixture),
  });
  const apiKey = sandbox.keys.test.secret;
  const service = createServiceClient({ apiKey, baseUrl: sandbox.baseUrl });
  const url = `${loadBalancer.url}/hooks/service/${ENDPOINT_ID}`;
  // An owner who connects a shop registers its webhook.
  const webhookSecret = options.selfService ? "" : await registerWebhook(service, url);

  function nextServer(): ServerProcess | null {
    const serving = slots.filter((process, slot) => isServing(process) && roles[slot] !== "worker");
    turn += 1;
    return serving[turn % serving.length] ?? null;
  }

  async function runProcess(role: Role, slot: number, start: number): Promise<void> {
    const startOptions: StartOptions = {
      role,
      ledgerUrl: fixture.ledgerUrl,
      clockOffsetMs: 0,
      publicUrl: loadBalancer.url,
      shopUrl: loadBalancer.url,
      stores: options.selfService ? "self-service" : shop.descriptions,
      service: { baseUrl: sandbox.baseUrl, apiKey, webhookSecret },
      crashPoint: options.crashPointOf?.(fixture, start) ?? null,
      freezePoint: options.freezePoint ? { ...options.freezePoint, folder: folder.path } : null,
      durableFile: options.recordsSyncedWalLength ? join(folder.path, "durable") : null,
    };
    // Time must not advance while a process starts, because the process would miss the change.
    const process = await oneAtATime(() => processes.start({ ...startOptions, clockOffsetMs: clock.offsetMs() }));
    slots[slot] = process;
    // The case may have ended while the process started.
    if (closed || whileStopped !== null) process.kill();
    await process.exited;
    slots[slot] = null;
    if (!closed && whileStopped === null) kills += 1;
  }

  async function supervise(role: Role, slot: number): Promise<void> {
    for (let start = 0; !closed; start += 1) {
      await runProcess(role, slot, start);
      if (!closed) await options.beforeRestart?.(fixture);
      await whileStopped?.();
    }
  }

  /** Stops the only process, and starts the next one after the work. */
  function stopFor(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      whileStopped = async () => {
        whileStopped = null;
        await work().then(resolve, reject);
      };
      for (const process of slots) process?.kill();
    });
  }

  /** Runs the tasks one after another. */
  function oneAtATime<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = lastTask.then(work);
    lastTask = done.catch(() => undefined);
    return done;
  }

  async function sendRequest<What extends keyof Requests>(
    what: What,
    input: Requests[What]["input"],
  ): Promise<Requests[What]["result"]> {
    const giveUpAt = Date.now() + PATIENCE_MS;
    while (Date.now() < giveUpAt) {
      throwIfFailed();
      const answer = await nextServer()?.request(what, input).catch(retry);
      if (answer !== undefined && answer !== RETRY) return answer;
      await wait(3);
    }
    throw new Error(`No process answered "${what}" for four minutes.`);
  }

  function retry(error: unknown): typeof RETRY {
    return isLostWithLedger(error) ? RETRY : retryIfPossible(error);
  }

  function nullIfDied(error: unknown): null {
    if (error instanceof ProcessDied || isLostWithLedger(error)) return null;
    throw error;
  }

  function isLostWithLedger(error: unknown): boolean {
    return options.isLedgerMortal === true && error instanceof RequestRejected;
  }

  async function advanceTime(ms: number): Promise<void> {
    await oneAtATime(async () => {
      await clock.advance(ms);
      // The sandbox uses the same clock; advancing it by 0 makes it perform what is due.
      await sandbox.control.advanceClock(0);
      await tellTime();
    });
  }

  async function tellTime(): Promise<void> {
    const time = { offsetMs: clock.offsetMs() };
    await Promise.all(
      slots.filter(isServing).map((process) => process?.request("advanceTime", time).catch(nullIfDied)),
    );
  }

  async function thaw(): Promise<boolean> {
    const frozen = slots.filter((process) => process?.isFrozen());
    await oneAtATime(async () => {
      await writeFile(join(folder.path, CONTINUED_AT), String(clock.offsetMs()));
      for (const process of frozen) process?.thaw();
      // Its answer shows that it runs again.
      await tellTime();
    });
    return frozen.length > 0;
  }

  async function activity(): Promise<Activity> {
    throwIfFailed();
    // Calls to a shop pass the load balancer and may wait for the shop's clock, so only other requests count as activity.
    for (const process of slots) if (process?.isFrozen()) loadBalancer.abandon(process.port);
    if (slots.some((process) => !process?.isAlive()) || loadBalancer.busy() > shop.busy()) return BUSY;
    const running = slots.filter(isServing);
    const activities = await Promise.all(
      running.map((process) => process?.request("activity", null).catch(nullIfDied)),
    );
    const calls = activities.reduce((sum, activity) => sum + (activity?.busy ?? 0), 0);
    if (activities.some((activity) => !activity) || calls > shop.busy()) return BUSY;
    // A call to a shop waits for the shop's clock.
    if (calls > 0) return { status: "shop busy", until: clock.nextWakeAt() ?? clock.now() };
    const deliveryAt = await nextDeliveryAt();
    return {
      status: "at rest",
      until: Math.min(deliveryAt, ...activities.map((activity) => activity?.nextDueAt ?? NEVER)),
    };
  }

  async function nextDeliveryAt(): Promise<number> {
    const deliveries = await sandbox.control.listDeliveries({ page: { limit: 2_000, offset: 0 } });
    return Math.min(...deliveries.map(({ due_at }) => (due_at === null ? NEVER : Date.parse(due_at))), NEVER);
  }

  function throwIfFailed(): void {
    if (failure !== null) throw failure;
  }

  async function close(): Promise<void> {
    closed = true;
    for (const process of slots) process?.kill();
    await Promise.allSettled(supervisors);
    await loadBalancer.close();
    await sandbox.close();
    await folder.remove();
  }

  const fixture: KillFixture = {
    clock,
    shop,
    sandbox,
    service,
    webhookSecret,
    loadBalancer,
    folder: folder.path,
    ledgerUrl: options.postgresUrl ?? `sqlite:${ledgerFile}`,
    kills: () => kills,
    liveProcesses: () => slots.filter((process) => process !== null),
    throwIfFailed,
    request: sendRequest,
    backUpLedger: () => stopFor(() => copyLedger(ledgerFile, `${ledgerFile}.copy`)),
    async restoreLedger() {
      await stopFor(() => copyLedger(`${ledgerFile}.copy`, ledgerFile));
      restoredAt = clock.now();
    },
    restoredAt: () => restoredAt,
    thaw,
    advanceTime,
    activity,
    close,
  };
  const supervisors = roles.map((role, slot) =>
    supervise(role, slot).catch((error: unknown) => {
      failure ??= error;
    }),
  );
  return fixture;
}

async function registerWebhook({ webhooks }: ServiceClient, url: string): Promise<string> {
  const { data } = await webhooks.create({ url, authorized_events: [...EVENTS] });
  return data.secret ?? "";
}

function isServing(process: ServerProcess | null): boolean {
  return process?.isAlive() === true && !process.isFrozen();
}

/** Waits in real time. */
export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const RETRY = Symbol("retry");
const TIMEOUT_CODES: ReadonlySet<string> = new Set(["unavailable", "unknown"] satisfies StoreErrorCode[]);

// The time may advance during a call to the shop and make the call time out. A repeated request gets its answer.
function retryIfPossible(error: unknown): typeof RETRY {
  if (error instanceof ProcessDied) return RETRY;
  if (error instanceof RequestRejected && (error.retryable || TIMEOUT_CODES.has(error.code))) return RETRY;
  throw error;
}
