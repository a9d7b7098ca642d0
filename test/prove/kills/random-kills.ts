import { type CaseRandom, createCaseRandom } from "./case-random.ts";
import { type CaseResult, checkFixture } from "./case-result.ts";
import { type KillFixture, openFixture, wait } from "./fixture.ts";
import type { CrashPoint, Role } from "./messages.ts";
import type { DatabaseName, Resources } from "./resources.ts";
import { createShopActions, type ShopActions } from "./shop-actions.ts";
import { simulateOrder } from "./simulate-order.ts";

export type RandomKillOptions = {
  readonly database: DatabaseName;
  readonly roles: readonly Role[];
  readonly kills: number;
  /** The mean time between two orders, in real time. */
  readonly orderEveryMs: number;
  /** The minimum number of orders, also after the last kill. */
  readonly orders: number;
  /** The maximum number of concurrent shoppers. */
  readonly shoppers: number;
  readonly recordsSyncedWalLength?: boolean;
  /** Called between a kill and the next start. */
  readonly beforeRestart?: (fixture: KillFixture, random: CaseRandom) => Promise<void>;
};

/** The mean lifetime of a process that is killed from outside, and the mean number of calls before a process kills itself. */
const MEAN_LIFE_MS = 120;
const MEAN_LIFE_CALLS = 30;

/** Shoppers place orders while processes are killed at random times, at random calls and right after a webhook was answered. */
export async function runRandomKills(
  { processes, createDatabase }: Resources,
  options: RandomKillOptions,
  seed: number,
  caseNumber: number,
): Promise<CaseResult> {
  processes.takeOutput();
  const random = createCaseRandom(seed, caseNumber);
  const isOver = (fixture: KillFixture) => fixture.kills() >= options.kills;
  const fixture = await openFixture({
    processes,
    postgresUrl: await createDatabase(options.database),
    roles: options.roles,
    settings: {
      delivery: { duplicate: random.pick([0, 1]), reorder: random.happens(0.3), dropFirst: random.pick([0, 0, 1]) },
    },
    recordsSyncedWalLength: options.recordsSyncedWalLength ?? false,
    crashPointOf: (here) => (isOver(here) ? null : randomCrashPoint(random)),
    onAcknowledged: (here) => {
      if (!isOver(here) && random.happens(0.03)) pickProcess(here, random)?.kill();
    },
    async beforeRestart(here) {
      await options.beforeRestart?.(here, random);
      await here.advanceTime(restartDelay(options, random));
    },
  });
  try {
    const actions = createShopActions(fixture);
    fixture.shop.stores["read-then-write"].setLatency(random.pick([0, 2, 10]));
    await Promise.all([keepKilling(fixture, options, random), keepShopping(fixture, actions, options, random)]);
    return await checkFixture(fixture, actions, processes);
  } finally {
    await fixture.close();
  }
}

function randomCrashPoint(random: CaseRandom): CrashPoint | null {
  if (random.happens(0.5)) return null;
  const nth = 1 + Math.floor(random.exponential(MEAN_LIFE_CALLS));
  return { step: null, nth, moment: random.pick(["before", "after"]) };
}

function pickProcess(fixture: KillFixture, random: CaseRandom) {
  const [first, ...others] = fixture.liveProcesses();
  return first && random.pick([first, ...others]);
}

// While other processes run, only little time may pass, or a request in flight would grow too old.
function restartDelay({ roles }: RandomKillOptions, random: CaseRandom): number {
  if (roles.length === 1) return random.pick([0, 1_000, 10_000, 40_000, 100_000, 200_000]);
  return random.pick([0, 1_000, 5_000, 20_000]);
}

async function keepKilling(fixture: KillFixture, { kills }: RandomKillOptions, random: CaseRandom): Promise<void> {
  while (fixture.kills() < kills) {
    await wait(random.exponential(MEAN_LIFE_MS));
    fixture.throwIfFailed();
    if (fixture.kills() < kills) pickProcess(fixture, random)?.kill();
  }
}

async function keepShopping(
  fixture: KillFixture,
  actions: ShopActions,
  options: RandomKillOptions,
  random: CaseRandom,
): Promise<void> {
  const visits = new Set<Promise<void>>();
  let failure: unknown = null;
  for (let payment = 0; fixture.kills() < options.kills || payment < options.orders; payment += 1) {
    const visit = simulateOrder(fixture, actions, random)
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => visits.delete(visit));
    visits.add(visit);
    await wait(random.exponential(options.orderEveryMs));
    if (visits.size >= options.shoppers) await Promise.race(visits);
    if (random.happens(0.1))
      fixture.shop.stores["read-then-write"].failNextWrite({ lateMs: Math.floor(random.fraction() * 60_000) });
    fixture.throwIfFailed();
    if (failure !== null) throw failure;
  }
  await Promise.all(visits);
  // A fault that no write has met yet would come after the calm has begun, from which each deadline counts.
  fixture.shop.stores["read-then-write"].clearFaults();
  if (failure !== null) throw failure;
}
