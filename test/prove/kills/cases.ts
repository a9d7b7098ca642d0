import { playScene } from "./at-failpoint.ts";
import { census } from "./census.ts";
import { FAILPOINTS } from "./failpoints.ts";
import type { Role } from "./messages.ts";
import { losePower } from "./power-loss.ts";
import { killAtRandom } from "./random-kills.ts";
import type { EngineName, Resources } from "./resources.ts";
import type { Verdict } from "./verdict.ts";

export type Case = {
  readonly title: string;
  run(resources: Resources, seed: number, number: number): Promise<Verdict>;
};

const ENGINES = ["sqlite", "postgres"] as const satisfies readonly EngineName[];
const NAMES: Readonly<Record<EngineName, string>> = { sqlite: "SQLite", postgres: "PostgreSQL" };
const ONE: readonly Role[] = ["all"];
const PAIR: readonly Role[] = ["all", "all"];
/** Two servers and three workers. */
const FLEET: readonly Role[] = ["server", "server", "worker", "worker", "worker"];

/** On average; a process has several in work at once. */
const ORDER_EVERY_MS = 200;

function atRandom(engine: EngineName, kills: number, roles = ONE): Case {
  return {
    title: `${roles.length === 1 ? "a server" : "two servers"} on ${NAMES[engine]}, killed at random: nothing lost, nothing twice`,
    run: (resources, seed, number) =>
      killAtRandom(
        resources,
        { engine, roles, kills, orders: 3, shoppers: 6, orderEveryMs: ORDER_EVERY_MS },
        seed,
        number,
      ),
  };
}

/** Two servers and three workers on one PostgreSQL, killed at random under load. */
function fleet(orders: number, kills: number): Case {
  return {
    title: "two servers and three workers on one PostgreSQL, killed at random under load: nothing lost, nothing twice",
    run: (resources, seed, number) =>
      killAtRandom(
        resources,
        { engine: "postgres", roles: FLEET, kills, orders, shoppers: 24, orderEveryMs: 25 },
        seed,
        number,
      ),
  };
}

function powerLoss(kills: number): Case {
  return {
    title: "a server on SQLite whose machine loses power: nothing lost that anybody was told, nothing twice",
    run: (resources, seed, number) =>
      killAtRandom(
        resources,
        {
          engine: "sqlite",
          roles: ONE,
          kills,
          orders: 3,
          shoppers: 6,
          orderEveryMs: ORDER_EVERY_MS,
          notesDurable: true,
          whileDead: losePower,
        },
        seed,
        number,
      ),
  };
}

const CENSUS: readonly Case[] = ENGINES.map((engine) => ({
  title: `every step of the write path on ${NAMES[engine]} is a failpoint that is come by`,
  run: (resources) => census(resources, engine),
}));

const AT_FAILPOINTS: readonly Case[] = FAILPOINTS.flatMap((failpoint) =>
  (["before", "after"] as const).flatMap((moment) =>
    ENGINES.map(
      (engine): Case => ({
        title: `killed ${moment} ${failpoint.name} on ${NAMES[engine]}`,
        run: (resources) => playScene(resources, engine, failpoint, moment),
      }),
    ),
  ),
);

/** Kills of one case: enough that processes die over the work that an earlier death has left behind. */
const KILLS = 10;

function histories(count: number): readonly Case[] {
  const kinds = [
    atRandom("sqlite", KILLS),
    atRandom("postgres", KILLS),
    atRandom("sqlite", KILLS, PAIR),
    atRandom("postgres", KILLS, PAIR),
    powerLoss(KILLS),
  ];
  return Array.from({ length: count }, (_, index) => kinds[index % kinds.length] ?? fleet(30, 6));
}

/**
 * The first few are a bit of everything, for the daily tests. Then every failpoint, then as many random kills as a change
 * has to stand, then the rest of the thousand.
 */
export const CASES: readonly Case[] = [
  fleet(20, 5),
  atRandom("sqlite", 4),
  atRandom("postgres", 3),
  powerLoss(3),
  ...CENSUS,
  ...AT_FAILPOINTS,
  ...histories(20),
  fleet(300, 60),
  ...histories(80),
  fleet(600, 120),
];

export const QUICK = 4;
