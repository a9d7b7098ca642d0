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
    // As Shopify does, a post that got no answer, or 503 because the database was too busy to store it, is sent again.
    const repeat = async (): Promise<string> => {
      const { status, redirectUrl } = await shop.postPayment(session);
      return status === 503 || status === 0 ? await repeat() : `${status} ${redirectUrl}`;
    };
    const answers = await Promise.all(Array.from({ length: 200 }, repeat));
    expect(answers).toHaveLength(200);
    expect(new Set(answers)).toEqual(new Set([`200 ${answer.redirectUrl}`]));
  },
);
