import { createCaseRandom } from "./case-random.ts";
import type { CaseResult } from "./case-result.ts";
import { checkFailpoints, checkShopSteps } from "./check-failpoints.ts";
import { FAILPOINTS, type Failpoint, isPossibleOn, SHOP_STEPS } from "./failpoints.ts";
import type { Role } from "./messages.ts";
import { losePower } from "./power-loss.ts";
import { runRandomKills } from "./random-kills.ts";
import type { DatabaseName, Resources } from "./resources.ts";
import { type Freeze, runFreeze } from "./run-freeze.ts";
import { runScenario } from "./run-scenario.ts";
import { runShopLife, type ShopKills } from "./run-shop-life.ts";

export type Case = {
  readonly title: string;
  run(resources: Resources, seed: number, caseNumber: number): Promise<CaseResult>;
};

const DATABASES = ["sqlite", "postgres"] as const satisfies readonly DatabaseName[];
const DATABASE_NAMES: Readonly<Record<DatabaseName, string>> = { sqlite: "SQLite", postgres: "PostgreSQL" };
const ONE_SERVER: readonly Role[] = ["all"];
const TWO_SERVERS: readonly Role[] = ["all", "all"];
/** Two servers and three workers. */
const SERVERS_AND_WORKERS: readonly Role[] = ["server", "server", "worker", "worker", "worker"];

/** The mean time between two orders. A process handles several orders at once. */
const ORDER_EVERY_MS = 200;

function atRandom(database: DatabaseName, kills: number, roles = ONE_SERVER): Case {
  return {
    title: `${roles.length === 1 ? "one server" : "two servers"} on ${DATABASE_NAMES[database]} can be killed at random without losing anything or doing anything twice`,
    run: (resources, seed, caseNumber) =>
      runRandomKills(
        resources,
        { database, roles, kills, orders: 3, shoppers: 6, orderEveryMs: ORDER_EVERY_MS },
        seed,
        caseNumber,
      ),
  };
}

/** Two servers and three workers on one PostgreSQL, killed at random under load. */
function fleet(orders: number, kills: number): Case {
  return {
    title:
      "two servers and three workers on one PostgreSQL, killed at random under load, lose nothing and do nothing twice",
    run: (resources, seed, caseNumber) =>
      runRandomKills(
        resources,
        { database: "postgres", roles: SERVERS_AND_WORKERS, kills, orders, shoppers: 24, orderEveryMs: 25 },
        seed,
        caseNumber,
      ),
  };
}

function powerLoss(kills: number): Case {
  return {
    title: "a server on SQLite whose machine loses power loses nothing that it acknowledged and does nothing twice",
    run: (resources, seed, caseNumber) =>
      runRandomKills(
        resources,
        {
          database: "sqlite",
          roles: ONE_SERVER,
          kills,
          orders: 3,
          shoppers: 6,
          orderEveryMs: ORDER_EVERY_MS,
          recordsSyncedWalLength: true,
          beforeRestart: losePower,
        },
        seed,
        caseNumber,
      ),
  };
}

const FAILPOINT_CHECKS: readonly Case[] = DATABASES.map((database) => ({
  title: `every step of the write path on ${DATABASE_NAMES[database]} is a failpoint that its scenario reaches`,
  run: (resources) => checkFailpoints(resources, database),
}));

function atFailpoint(failpoint: Failpoint, moment: "before" | "after", database: DatabaseName): Case {
  return {
    title: `a process that is killed ${moment} ${failpoint.name} on ${DATABASE_NAMES[database]} loses nothing and does nothing twice`,
    run: (resources) => runScenario(resources, database, failpoint, moment),
  };
}

/** The moments before and after each failpoint, each on the databases where it is possible: the first of them in turn. */
const AT_FAILPOINTS: readonly (readonly Case[])[] = FAILPOINTS.flatMap((failpoint, index) =>
  (["before", "after"] as const).map((moment, turn) => {
    const possible = DATABASES.filter((database) => isPossibleOn(database, failpoint.scenario));
    const inTurn = (index + turn) % 2 === 0 ? possible : possible.toReversed();
    return inTurn.map((database) => atFailpoint(failpoint, moment, database));
  }),
);

const FREEZES: readonly Pick<Freeze, "step" | "moment" | "turns">[] = [
  { step: "ledger.commit paid", moment: "after", turns: 0 },
  { step: "store.markPaid", moment: "before", turns: 0 },
  { step: "store.markPaid", moment: "during", turns: 0 },
  { step: "service.refund", moment: "before", turns: 0 },
  // The request of the refund waits for its connection, or has left.
  { step: "service.refund", moment: "during", turns: 0 },
  { step: "service.refund", moment: "during", turns: 3 },
];

const AT_FREEZES: readonly Case[] = FREEZES.flatMap((freeze, index) =>
  [false, true].map((suspended): Case => {
    const database = DATABASES[(index + Number(suspended)) % DATABASES.length] ?? "sqlite";
    const what = suspended ? "whose machine is suspended" : "that is stopped";
    return {
      title: `a process on ${DATABASE_NAMES[database]} ${what} for a day ${freeze.moment} ${freeze.step} does nothing twice when it continues`,
      run: (resources) => runFreeze(resources, database, { ...freeze, suspended }),
    };
  }),
);

function shopLife(
  database: DatabaseName,
  where: string,
  killsOf: (seed: number, caseNumber: number) => ShopKills,
): Case {
  return {
    title: `a shop connects, changes its secrets, moves, is copied, leaves and comes back on ${DATABASE_NAMES[database]} while processes are killed ${where}, and nothing is lost, left or done twice`,
    run: (resources, seed, caseNumber) => runShopLife(resources, database, killsOf(seed, caseNumber)),
  };
}

function shopLifeAtRandom(database: DatabaseName): Case {
  return shopLife(database, "at random", (seed, number) => ({
    kind: "random",
    random: createCaseRandom(seed, number),
    count: 2 * KILLS,
  }));
}

/** A sample for CI: every step is one after which a process died, on one of the databases. */
const SHOP_LIVES_IN_CI: readonly Case[] = [
  ...DATABASES.map(
    (database): Case => ({
      title: `every step in the life of a shop on ${DATABASE_NAMES[database]} is a place to die`,
      run: (resources) => checkShopSteps(resources, database),
    }),
  ),
  shopLife("sqlite", "after every second step in turn", () => ({ kind: "in turn", first: 1 })),
  shopLife("postgres", "after every other second step in turn", () => ({ kind: "in turn", first: 2 })),
];

/** Each step at each of its times, before and after it, on the databases in turn. */
const AT_SHOP_STEPS: readonly Case[] = Object.entries(SHOP_STEPS).flatMap(([step, times]) =>
  Array.from({ length: times }, (_, index) =>
    (["before", "after"] as const).map((moment, turn) => {
      const database = DATABASES[(index + turn) % DATABASES.length] ?? "sqlite";
      const where = `${moment} ${step} number ${index + 1}`;
      return shopLife(database, where, () => ({ kind: "once", point: { step, nth: index + 1, moment } }));
    }),
  ).flat(),
);

/** Kills of one case: enough that processes also die during the recovery from an earlier kill. */
const KILLS = 10;

function randomKillCases(count: number): readonly Case[] {
  const kinds = [
    atRandom("sqlite", KILLS),
    atRandom("postgres", KILLS),
    atRandom("sqlite", KILLS, TWO_SERVERS),
    atRandom("postgres", KILLS, TWO_SERVERS),
    powerLoss(KILLS),
  ];
  return Array.from({ length: count }, (_, index) => kinds[index % kinds.length] as Case);
}

/**
 * The first `QUICK` cases are a sample of everything and run in `npm test`. In CI, every change must pass every failpoint on one of
 * the databases, the life of a shop on both, the freezes and 200 random kills. The full proof has all failpoints on the other database,
 * every step of a shop's life by itself, and more random kills.
 */
export const CASES_IN_CI: readonly Case[] = [
  fleet(20, 5),
  atRandom("sqlite", 4),
  atRandom("postgres", 3),
  powerLoss(3),
  ...FAILPOINT_CHECKS,
  ...SHOP_LIVES_IN_CI,
  ...AT_FAILPOINTS.flatMap(([first]) => first ?? []),
  ...AT_FREEZES,
  ...randomKillCases(20),
];

export const CASES: readonly Case[] = [
  ...CASES_IN_CI,
  ...AT_FAILPOINTS.flatMap(([, ...others]) => others),
  ...AT_SHOP_STEPS,
  ...Array.from({ length: 6 }, (_, index) => shopLifeAtRandom(index % 2 === 0 ? "sqlite" : "postgres")),
  fleet(300, 60),
  ...randomKillCases(80),
  fleet(600, 120),
];

export const QUICK = 4;
