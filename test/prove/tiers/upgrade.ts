import { createSeededRandom } from "@tillkit/testkit";
import { startPostgres } from "../flood/postgres.ts";
import { type Outcome, repeatCommand, type Slice, type Tier, type Violation } from "../tier.ts";
import { finishWork } from "../upgrade/finish-work.ts";
import { lookBack } from "../upgrade/look-back.ts";
import { keptWorld, withOldFile, withOldPostgres } from "../upgrade/old-ledgers.ts";

/** A ledger that an older version left behind, in the middle of everything: each case goes on from there in another way. */
export const upgrade: Tier = {
  id: "T8",
  title: "work that an older version left in its ledger is finished by today's, on SQLite and PostgreSQL",
  cases: 200,
  quick: 8,
  slice: 20,
  alone: false,
  run,
};

/** Every fourth case is one on PostgreSQL. */
const POSTGRES = 4;

async function run({ seed, from, to }: Slice): Promise<Outcome> {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  const isOnPostgres = (number: number) => number % POSTGRES === POSTGRES - 1;
  const postgres = numbers.some(isOnPostgres) ? await startPostgres() : null;
  const violations: Violation[] = [];
  try {
    for (const number of numbers) {
      const why = await tryCase(seed, number, isOnPostgres(number) ? (postgres?.url ?? null) : null);
      if (why !== "") violations.push({ case: number, why, again: repeatCommand("T8", seed, number) });
    }
  } finally {
    await postgres?.stop();
  }
  return { cases: numbers.length, violations };
}

async function tryCase(seed: number, number: number, postgresUrl: string | null): Promise<string> {
  const world = keptWorld();
  const random = createSeededRandom(Math.imul(seed, 0x9e3779b1) + Math.imul(number, 0x85ebca6b));
  const finish = async (ledger: Parameters<Parameters<typeof withOldFile>[0]>[0]) => {
    const times = await finishWork({ world, ledger, random });
    return (await lookBack(world, ledger, times)).join("; ");
  };
  return await (postgresUrl === null ? withOldFile(finish) : withOldPostgres(postgresUrl, finish));
}
