import { afterAll, expect, test } from "vitest";
import { startPostgres } from "../../../../test/postgres/start-postgres.ts";
import { openFixture, TOTAL, wait } from "./fixture.ts";

const postgres = await startPostgres();
afterAll(() => postgres.stop());

const skipNote = postgres.isServer ? "" : " (skipped: no PostgreSQL server on this machine)";

test.skipIf(!postgres.isServer)(
  `two hundred simultaneous repeats of a payment post are all answered with the same redirect URL${skipNote}`,
  async () => {
    const { shop } = await openFixture({ realTime: true, database: postgres.url });
    const { session, answer } = await shop.startPayment({ total: TOTAL });
    expect(answer.status).toBe(200);
    await wait(20);
    const repeats = await Promise.all(Array.from({ length: 200 }, () => shop.postPayment(session)));
    const answers = repeats.map(({ status, redirectUrl }) => `${status} ${redirectUrl}`);
    expect(new Set(answers)).toEqual(new Set([`200 ${answer.redirectUrl}`]));
  },
  60_000,
);
