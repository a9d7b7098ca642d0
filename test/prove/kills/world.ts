import { join } from "node:path";
import { createServiceClient, type ServiceClient } from "@tillkit/client";
import type { StoreErrorCode } from "@tillkit/core";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { makeFolder } from "../folder.ts";
import { type FrontDoor, openFrontDoor } from "./front-door.ts";
import { type Asks, type Death, ENDPOINT_ID, type Role, type StartOrder } from "./messages.ts";
import { openShop, type Shop } from "./shop.ts";
import { type Crew, ProcessGone, ProcessRefused, type TillProcess } from "./till-process.ts";
import { createWorldClock, type WorldClock } from "./world-clock.ts";

export type WorldOptions = {
  readonly crew: Crew;
  /** Null: a SQLite file in a folder of the case's own. */
  readonly postgresUrl: string | null;
  readonly roles: readonly Role[];
  /** How each life of a process ends by itself; lives are counted from 0. Null: it is not killed at a step. */
  readonly deathOf?: (world: World, life: number) => Death | null;
  /** Between a death and the next start. */
  readonly whileDead?: (world: World) => Promise<void>;
  readonly onAcknowledged?: (world: World) => void;
  readonly settings?: Parameters<Sandbox["control"]["changeSettings"]>[0];
  /** Processes note how far their write-ahead log is on the disk. */
  readonly notesDurable?: boolean;
};

/** Shops and the service in this process; the merchant's servers in processes of their own, started again when they die. */
export type World = {
  readonly clock: WorldClock;
  readonly shop: Shop;
  readonly sandbox: Sandbox;
  readonly service: ServiceClient;
  readonly webhookSecret: string;
  readonly door: FrontDoor;
  readonly ledgerUrl: string;
  /** Where the ledger's file and the note of its durable length are. */
  readonly folder: string;
  readonly kills: () => number;
  readonly lives: () => readonly TillProcess[];
  /** @throws Error when a process ended by anything but a kill */
  check(): void;
  /** Asks any process that takes shoppers, again and again until one lives long enough to answer. */
  ask<What extends keyof Asks>(what: What, ask: Asks[What]["ask"]): Promise<Asks[What]["answer"]>;
  /** Time passes for everybody. */
  jump(ms: number): Promise<void>;
  look(): Promise<Look>;
  /** No process starts any more. */
  close(): Promise<void>;
};

/** `until`: when the next thing happens if nobody does anything, Infinity for never. */
export type Look = { readonly say: "busy" } | { readonly say: "shop at work" | "at rest"; readonly until: number };

const BUSY: Look = { say: "busy" };
const EVENTS = [
  "PAYMENT_CREATED",
  "PAYMENT_SUCCEEDED",
  "PAYMENT_FAILED",
  "REFUND_CREATED",
  "REFUND_COMPLETED",
  "REFUND_FAILED",
  "DISPUTE_CREATED",
] as const;
const PATIENCE_MS = 60_000;
const NEVER = Number.POSITIVE_INFINITY;

export async function openWorld(options: WorldOptions): Promise<World> {
  const { crew, roles } = options;
  const clock = createWorldClock();
  const folder = await makeFolder("kills");
  // One question, as a shop asks it: whoever was asked may die over it.
  const shop = openShop(clock, async (paymentId) => {
    const process = taking();
    if (!process) throw new ProcessGone();
    return await process.ask("verify", { paymentId });
  });
  const sandbox = await createSandbox({ clock, settings: { ratePolicy: "off", ...options.settings } });
  const lives: (TillProcess | null)[] = roles.map(() => null);
  let kills = 0;
  let failure: unknown = null;
  let closed = false;
  let moving: Promise<unknown> = Promise.resolve();
  let turn = 0;

  const door = await openFrontDoor({
    pick: () => taking()?.port ?? null,
    callShop: shop.call,
    now: clock.now,
    onAcknowledged: () => options.onAcknowledged?.(world),
  });
  const apiKey = sandbox.keys.test.secret;
  const service = createServiceClient({ apiKey, baseUrl: sandbox.baseUrl });
  const url = `${door.url}/hooks/service/${ENDPOINT_ID}`;
  const { data } = await service.webhooks.create({ url, authorized_events: [...EVENTS] });
  const webhookSecret = data.secret ?? "";

  function taking(): TillProcess | null {
    const serving = lives.filter((life, slot) => life?.isAlive() && roles[slot] !== "worker");
    turn += 1;
    return serving[turn % serving.length] ?? null;
  }

  async function live(role: Role, slot: number, life: number): Promise<void> {
    const order: StartOrder = {
      role,
      ledgerUrl: world.ledgerUrl,
      clockOffsetMs: 0,
      publicUrl: door.url,
      shopUrl: door.url,
      stores: shop.cards,
      service: { baseUrl: sandbox.baseUrl, apiKey, webhookSecret },
      death: options.deathOf?.(world, life) ?? null,
      durableFile: options.notesDurable ? join(folder.path, "durable") : null,
    };
    // Time must not be moved while a process starts: it would never hear of it.
    const process = await alone(() => crew.start({ ...order, clockOffsetMs: clock.offsetMs() }));
    lives[slot] = process;
    await process.ended;
    lives[slot] = null;
    if (!closed) kills += 1;
  }

  async function keepAlive(role: Role, slot: number): Promise<void> {
    for (let life = 0; !closed; life += 1) {
      await live(role, slot, life);
      if (!closed) await options.whileDead?.(world);
    }
  }

  /** One after the other. */
  function alone<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = moving.then(work);
    moving = done.catch(() => undefined);
    return done;
  }

  async function ask<What extends keyof Asks>(what: What, given: Asks[What]["ask"]): Promise<Asks[What]["answer"]> {
    const giveUpAt = Date.now() + PATIENCE_MS;
    while (Date.now() < giveUpAt) {
      check();
      const answer = await taking()?.ask(what, given).catch(ifWorthAnotherTry);
      if (answer !== undefined && answer !== AGAIN) return answer;
      await wait(3);
    }
    throw new Error(`Nobody answered "${what}" for a minute.`);
  }

  async function jump(ms: number): Promise<void> {
    await alone(async () => {
      await clock.jump(ms);
      await sandbox.control.advanceClock(0);
      const living = lives.filter((life) => life?.isAlive());
      await Promise.all(living.map((life) => life?.ask("jump", { ms }).catch(ifGone)));
    });
  }

  async function look(): Promise<Look> {
    check();
    if (lives.some((life) => !life?.isAlive()) || door.busy() > shop.busy()) return BUSY;
    const looks = await Promise.all(lives.map((life) => life?.ask("look", null).catch(ifGone)));
    const calls = looks.reduce((sum, one) => sum + (one?.busy ?? 0), 0);
    if (looks.some((one) => !one) || calls > shop.busy()) return BUSY;
    // Whoever waits for a shop waits for its clock.
    if (calls > 0) return { say: "shop at work", until: clock.nextWakeAt() ?? clock.now() };
    const deliveryAt = await nextDeliveryAt();
    return { say: "at rest", until: Math.min(deliveryAt, ...looks.map((one) => one?.nextDueAt ?? NEVER)) };
  }

  async function nextDeliveryAt(): Promise<number> {
    const deliveries = await sandbox.control.listDeliveries({ page: { limit: 2_000, offset: 0 } });
    return Math.min(...deliveries.map(({ due_at }) => (due_at === null ? NEVER : Date.parse(due_at))), NEVER);
  }

  function check(): void {
    if (failure !== null) throw failure;
  }

  async function close(): Promise<void> {
    closed = true;
    for (const life of lives) life?.kill();
    await Promise.allSettled(keepers);
    await door.close();
    await sandbox.close();
    await folder.remove();
  }

  const world: World = {
    clock,
    shop,
    sandbox,
    service,
    webhookSecret,
    door,
    folder: folder.path,
    ledgerUrl: options.postgresUrl ?? `sqlite:${join(folder.path, "ledger.db")}`,
    kills: () => kills,
    lives: () => lives.filter((life) => life !== null),
    check,
    ask,
    jump,
    look,
    close,
  };
  const keepers = roles.map((role, slot) =>
    keepAlive(role, slot).catch((error: unknown) => {
      failure ??= error;
    }),
  );
  return world;
}

/** Of the machine, not of the world. */
export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const AGAIN = Symbol("worth another try");
const TOO_SLOW: ReadonlySet<string> = new Set(["unavailable", "unknown"] satisfies StoreErrorCode[]);

// The shop did not answer in time, for time is moved on while it is asked; whoever clicks again is answered.
function ifWorthAnotherTry(error: unknown): typeof AGAIN {
  if (error instanceof ProcessGone) return AGAIN;
  if (error instanceof ProcessRefused && (error.retryable || TOO_SLOW.has(error.code))) return AGAIN;
  throw error;
}

function ifGone(error: unknown): null {
  if (error instanceof ProcessGone) return null;
  throw error;
}
