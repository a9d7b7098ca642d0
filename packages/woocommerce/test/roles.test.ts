import { codeOf } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import { createWooCommerceServer } from "@tillkit/woocommerce";
import { describe, expect, it, onTestFinished } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { readWooCommerceConfig } from "../src/config/read-config.ts";
import { openServerFixture, type ServerFixture, STORE_ID } from "./server-fixture.ts";

/** Only a server with a PostgreSQL database may have a role. Here all servers nevertheless share one ledger in memory. */
const POSTGRES = "postgres://tillkit@db.example/tillkit";

describe("a receiver and a worker of one WooCommerce shop", () => {
  it("the worker records the order that the receiver started, and the receiver alone would not", async () => {
    const fixture = await openServerFixture({ config: { role: "receiver", database: POSTGRES } });
    const { order, payment } = await fixture.openOrder();
    await fixture.pay(payment);
    await waitFor(async () => expect(await fixture.ledger.nextDueAt()).toBeLessThanOrEqual(Date.now()));
    // Long enough for a timer to run due jobs twice.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect((await fixture.payment(order.id)).state).toBe("open");
    await startWorker(fixture);
    await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("recorded"));
    expect(fixture.fake.shop.order(order.id)).toMatchObject({ status: "processing" });
  });

  it("a worker learns of a shop that its owner paired at a receiver", async () => {
    const store = {
      consumerKey: undefined,
      consumerSecret: undefined,
      linkSecret: undefined,
      webhookSecrets: undefined,
      endpointId: "fresh",
    };
    const ledger = createMemoryLedger();
    const fixture = await openServerFixture({ config: { role: "receiver", database: POSTGRES }, store, ledger });
    fixture.fake.setPlugin(null);
    const worker = await startWorker(fixture);
    const before = await worker.checkout.engine.store(STORE_ID);
    const form = { shop: fixture.fake.url, code: fixture.fake.startPairing(fixture.url), language: "en" };
    const body = new URLSearchParams(form);
    await fetch(`${fixture.url}/bridge/v1/pair/confirm`, { method: "POST", body, redirect: "manual" });
    await waitFor(async () => expect(await worker.checkout.engine.store(STORE_ID)).not.toBe(before));
    const { order, payment } = await fixture.openOrder();
    await fixture.pay(payment);
    await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("recorded"));
  });
});

describe("the role of a checkout server", () => {
  it.each(["receiver", "worker"] as const)("a %s on a SQLite file is refused in one sentence", async (role) => {
    const { config } = await openServerFixture();
    const refused = () => readWooCommerceConfig({ ...config, role }, {});
    expect(refused).toThrowError(`The role "${role}" needs a PostgreSQL database`);
    expect(await createWooCommerceServer({ ...config, role }).catch(codeOf)).toBe("configuration_invalid");
  });

  it("a role that does not exist is refused with those that do", async () => {
    const { config } = await openServerFixture();
    expect(() => readWooCommerceConfig({ ...config, role: "leader" }, {})).toThrowError(
      'role must be "both" or "receiver" or "worker".',
    );
  });
});

async function startWorker({ config, ledger }: ServerFixture) {
  const worker = await createWooCommerceServer({ ...config, role: "worker" }, { ledger });
  onTestFinished(() => worker.close());
  worker.start();
  return worker;
}
