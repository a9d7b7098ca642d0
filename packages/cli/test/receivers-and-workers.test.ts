import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serverPrograms } from "../../../test/postgres/postgres-programs.ts";
import { type Postgres, startPostgres } from "../../../test/postgres/start-postgres.ts";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { buildProgram } from "./build-program.ts";
import { hasPooler, startPooler } from "./pooler.ts";
import { objectOf, readScaleFiles } from "./scale-files.ts";
import { openSplitShop, type SplitShop } from "./split-shop.ts";

const hasServer = serverPrograms() !== null && process.env.TILLKIT_TEST_POSTGRES !== "pglite";
const ORDERS = 24;
/** The service repeats an unanswered webhook after 3, 6 and 12 seconds; a dead worker's jobs are free after 15. */

// The tests run once, through the pooler if there is one: what works through a pooler works without it.
const way = hasPooler ? "through PgBouncer" : "directly, because this machine has no PgBouncer";
const skipped = hasServer ? "" : " (skipped: there is no PostgreSQL server on this machine)";

describe("two receivers and two workers on one PostgreSQL", () => {
  let postgres: Postgres;
  let pooler: Awaited<ReturnType<typeof startPooler>> | null = null;
  let shop: SplitShop;

  beforeAll(async () => {
    if (!hasServer) return;
    await buildProgram();
    postgres = await startPostgres();
    const socketFolder = new URL(postgres.url).searchParams.get("host") ?? "";
    if (hasPooler) pooler = await startPooler(socketFolder);
    shop = await openSplitShop(pooler?.url ?? postgres.url, postgres.url);
  });
  afterAll(async () => {
    if (!hasServer) return;
    await shop.close();
    await pooler?.stop();
    await postgres.stop();
  });

  it.skipIf(!hasServer)(
    `a checkout that one receiver started and whose webhook another received is recorded by a worker, ${way}${skipped}`,
    async () => {
      const [first, second] = shop.receivers;
      if (!first || !second) throw new Error("There are two receivers.");
      shop.balancer.sendTo(second);
      const order = await shop.placeOrder(first);
      await shop.payOrder(order.id);
      await waitFor(async () => expect(await shop.stateOf(order.id)).toBe("recorded"));
      expect(shop.shop.shop.order(order.id)).toMatchObject({ status: "processing" });
      expect(shop.balancer.webhooksOf(first)).toBe(0);
      expect(shop.balancer.webhooksOf(second)).toBeGreaterThan(0);
      shop.balancer.sendTo(null);
      for (const { url } of shop.receivers)
        expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ ready: true, timer: "off" });
      for (const { url } of shop.workers)
        expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ ready: true, timer: "alive" });
    },
  );

  it.skipIf(!hasServer)(`every probe of the Kubernetes manifests is answered, ${way}${skipped}`, async () => {
    const files = readScaleFiles("woocommerce");
    for (const [role, processes] of [
      ["receiver", shop.receivers],
      ["worker", shop.workers],
    ] as const) {
      const [container] = objectOf(files, "Deployment", `tillkit-${role}`).spec.template.spec.containers;
      for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"])
        for (const { url } of processes) expect((await fetch(url + container[probe].httpGet.path)).status).toBe(200);
    }
  });

  it.skipIf(!hasServer)(
    `a receiver and a worker that are killed at work lose nothing and pay no order twice, ${way}${skipped}`,
    async () => {
      const [survivor, victim] = shop.receivers;
      const [, worker] = shop.workers;
      if (!survivor || !victim || !worker) throw new Error("There are two of each.");
      const orders: { readonly id: number }[] = [];
      for (let count = 0; count < ORDERS; count += 1) orders.push(await shop.placeOrder(count % 2 ? survivor : victim));
      const paying = Promise.all(orders.map(({ id }) => shop.payOrder(id)));
      await waitFor(() => expect(shop.balancer.webhooksOf(victim)).toBeGreaterThan(2));
      await Promise.all([victim.kill(), worker.kill()]);
      await paying;
      for (const { id } of orders) await waitFor(async () => expect(await shop.stateOf(id)).toBe("recorded"));
      for (const { id } of orders) {
        expect(shop.shop.shop.order(id)).toMatchObject({ status: "processing" });
        expect(shop.shop.shop.effects.filter(({ orderId }) => Number(orderId) === id)).toHaveLength(1);
        const payments = await shop.ledger.paymentsOfOrder({ storeId: "boutique", orderId: String(id) });
        expect(payments.filter(({ state }) => state === "recorded")).toHaveLength(1);
      }
      expect(shop.receivers.map(({ child }) => child.signalCode)).toEqual([null, "SIGKILL"]);
    },
  );
});
