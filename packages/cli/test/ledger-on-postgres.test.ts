import { afterAll, beforeAll, expect, it } from "vitest";
import { startPostgres } from "../../../test/postgres/start-postgres.ts";
import { buildProgram } from "./build-program.ts";
import { examplePayment, storePayments } from "./example-ledger.ts";
import { runProgram } from "./program.ts";

const postgres = await startPostgres();
beforeAll(() => buildProgram());
afterAll(() => postgres.stop());

const jobs = (...args: string[]) => runProgram(["jobs", ...args], { env: { DATABASE_URL: postgres.url } });

it("a ledger in PostgreSQL is found in its schema, and a mistaken address gets no empty ledger", async () => {
  const nothing = await jobs();
  expect([nothing.code, nothing.error]).toEqual([
    1,
    "There is no ledger in the schema public of this database: check the address.\n",
  ]);
  const payment = examplePayment({ id: "p1", ref: { storeId: "medusa", orderId: "1" }, state: "recorded" });
  await storePayments(postgres.url, [payment], "tillkit");
  expect((await jobs("--schema", "tillkit")).out).toBe("There are no jobs.\n");
  const without = await jobs();
  expect(without.error).toBe(
    "There is no ledger in the schema public of this database: add --schema tillkit, where there is one.\n",
  );
  expect((await jobs("--schema", "tilkit")).error).toContain("no ledger in the schema tilkit");
});
