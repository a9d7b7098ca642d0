import { createSeededRandom } from "@tillkit/testkit";
import { startPostgres } from "../../postgres/start-postgres.ts";
import { type Outcome, repeatCommand, type Slice, type Tier, type Violation } from "../tier.ts";
import { findProblems } from "../upgrade/find-problems.ts";
import { finishWork } from "../upgrade/finish-work.ts";
import { readFixture, withPostgresFixture, withSqliteFixture } from "../upgrade/open-fixture.ts";

/** Starts from a ledger that an older version left with work in flight. Each case continues from there in another way. */
export const upgrade: Tier = {
  id: "T8",
  title: "today's version finishes the work that an older version left in its ledger, on SQLite and PostgreSQL",
  cases: 200,
  quick: 8,
  slice: 20,
  exclusive: false,
  run,
};

/** Every fourth case runs on PostgreSQL. */
const POSTGRES_EVERY = 4;

async function run({ seed, from, to }: Slice): Promise<Outcome> {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  const isOnPostgres = (number: number) => number % POSTGRES_EVERY === POSTGRES_EVERY - 1;
  const postgres = numbers.some(isOnPostgres) ? await startPostgres({ durable: true }) : null;
  const violations: Violation[] = [];
  try {
    for (const number of numbers) {
      const problems = await tryCase(seed, number, isOnPostgres(number) ? (postgres?.url ?? null) : null);
      if (problems !== "") violations.push({ case: number, why: problems, again: repeatCommand("T8", seed, number) });
    }
  } finally {
    await postgres?.stop();
  }
  return { cases: numbers.length, violations };
}

async function tryCase(seed: number, number: number, postgresUrl: string | null): Promise<string> {
  const fixture = readFixture();
  const random = createSeededRandom(Math.imul(seed, 0x9e3779b1) + Math.imul(number, 0x85ebca6b));
  const finish = async (ledger: Parameters<Parameters<typeof withSqliteFixture>[0]>[0]) => {
    const times = await finishWork({ fixture, ledger, random });
    return (await findProblems(fixture, ledger, times)).join("; ");
  };
  return await (postgresUrl === null ? withSqliteFixture(finish) : withPostgresFixture(postgresUrl, finish));
}
