import type { Chance } from "./chance.ts";
import { createChance } from "./chance.ts";
import type { Death, Role } from "./messages.ts";
import type { EngineName, Resources } from "./resources.ts";
import { shopOnce } from "./shopper.ts";
import { goShopping, type Shopping } from "./shopping.ts";
import { judgeWorld, type Verdict } from "./verdict.ts";
import { openWorld, type World, wait } from "./world.ts";

export type Ordeal = {
  readonly engine: EngineName;
  readonly roles: readonly Role[];
  readonly kills: number;
  /** Mean time between two orders, of the machine. */
  readonly orderEveryMs: number;
  /** At least so many orders, whether or not anybody is killed any more. */
  readonly orders: number;
  /** At most so many shoppers at once. */
  readonly shoppers: number;
  readonly notesDurable?: boolean;
  /** What else happens between a death and the next start. */
  readonly whileDead?: (world: World, chance: Chance) => Promise<void>;
};

/** How long a process lives that is killed from outside, on average, and after how many calls one dies by itself. */
const LIFE_MS = 120;
const LIFE_CALLS = 30;

/** Shoppers come all the time while processes are killed: at a moment, at a call, right after a webhook was answered. */
export async function killAtRandom(
  { crew, database }: Resources,
  ordeal: Ordeal,
  seed: number,
  number: number,
): Promise<Verdict> {
  crew.takePrinted();
  const chance = createChance(seed, number);
  const isOver = (world: World) => world.kills() >= ordeal.kills;
  const world = await openWorld({
    crew,
    postgresUrl: await database(ordeal.engine),
    roles: ordeal.roles,
    settings: {
      delivery: { duplicate: chance.pick([0, 1]), reorder: chance.happens(0.3), dropFirst: chance.pick([0, 0, 1]) },
    },
    notesDurable: ordeal.notesDurable ?? false,
    deathOf: (here) => (isOver(here) ? null : deathByCall(chance)),
    onAcknowledged: (here) => {
      if (!isOver(here) && chance.happens(0.03)) anyLife(here, chance)?.kill();
    },
    async whileDead(here) {
      await ordeal.whileDead?.(here, chance);
      await here.jump(pauseOf(ordeal, chance));
    },
  });
  try {
    const shopping = goShopping(world);
    world.shop.stores["read-then-write"].setLatency(chance.pick([0, 2, 10]));
    await Promise.all([killOnAndOn(world, ordeal, chance), shopOnAndOn(world, shopping, ordeal, chance)]);
    return await judgeWorld(world, shopping, crew);
  } finally {
    await world.close();
  }
}

function deathByCall(chance: Chance): Death | null {
  if (chance.happens(0.5)) return null;
  const nth = 1 + Math.floor(chance.exponential(LIFE_CALLS));
  return { step: null, nth, moment: chance.pick(["before", "after"]) };
}

function anyLife(world: World, chance: Chance) {
  const [first, ...others] = world.lives();
  return first && chance.pick([first, ...others]);
}

// While others work on, no more time passes than a slow machine takes: a request on its way would grow too old.
function pauseOf({ roles }: Ordeal, chance: Chance): number {
  const one = [0, 1_000, 10_000, 40_000, 100_000, 200_000] as const;
  return roles.length === 1 ? chance.pick(one) : chance.pick([0, 1_000, 5_000, 20_000]);
}

async function killOnAndOn(world: World, { kills }: Ordeal, chance: Chance): Promise<void> {
  while (world.kills() < kills) {
    await wait(chance.exponential(LIFE_MS));
    world.check();
    if (world.kills() < kills) anyLife(world, chance)?.kill();
  }
}

async function shopOnAndOn(world: World, shopping: Shopping, ordeal: Ordeal, chance: Chance): Promise<void> {
  const visits = new Set<Promise<void>>();
  let failure: unknown = null;
  for (let begun = 0; world.kills() < ordeal.kills || begun < ordeal.orders; begun += 1) {
    const visit = shopOnce(world, shopping, chance)
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => visits.delete(visit));
    visits.add(visit);
    await wait(chance.exponential(ordeal.orderEveryMs));
    if (visits.size >= ordeal.shoppers) await Promise.race(visits);
    if (chance.happens(0.1))
      world.shop.stores["read-then-write"].failNextWrite({ lateMs: Math.floor(chance.fraction() * 60_000) });
    world.check();
    if (failure !== null) throw failure;
  }
  await Promise.all(visits);
  if (failure !== null) throw failure;
}
