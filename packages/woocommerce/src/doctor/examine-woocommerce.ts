import { createTenants, systemClock } from "@tillkit/core";
import { credentialsOf, environmentOf } from "../config/credentials.ts";
import type { StoreConfig, WooCommerceConfig } from "../config/schema.ts";
import { createWooStore } from "../store/woo-store.ts";
import type { CheckResult, Diagnosis } from "./diagnosis.ts";
import { examineAddress } from "./examine-address.ts";
import { examineKey } from "./examine-key.ts";
import { examinePlugin } from "./examine-plugin.ts";
import { examineService } from "./examine-service.ts";
import { createWebhookRoundTrip } from "./webhook-round-trip.ts";

/** Checks every shop of a configuration without changing anything. The checkout server should be running. */
export async function* examineWooCommerce(config: WooCommerceConfig): AsyncGenerator<Diagnosis> {
  const tenants = createTenants({ credentials: credentialsOf(config) });
  const roundTrip = createWebhookRoundTrip({ config, clock: systemClock });
  for (const store of config.stores) {
    const environment = environmentOf(store);
    const connection = createWooStore({ ...store, storeId: store.id, environment, clock: systemClock });
    const address = await examineAddress(store.url, systemClock.now);
    yield* forStore(store, address);
    if (!address.some(({ status }) => status === "error")) {
      yield* forStore(store, await examineKey(connection.rest));
      yield* forStore(store, await examinePlugin(connection.plugin, store, config));
    }
    const serviceProblem = await examineService({ tenants, clock: systemClock }, store.id, environment);
    yield* forStore(store, [
      serviceProblem === null
        ? { check: "service", status: "ok", message: `The payment service accepts the ${environment} key.` }
        : {
            check: "service",
            status: "error",
            message: `The payment service does not answer correctly. ${serviceProblem}`,
          },
    ]);
    const webhookProblem = await roundTrip(store);
    yield* forStore(store, [
      webhookProblem === null
        ? { check: "webhooks", status: "ok", message: "A signed test webhook arrived through the public address." }
        : { check: "webhooks", status: "error", message: `A signed test webhook did not arrive. ${webhookProblem}` },
    ]);
  }
}

function forStore({ id }: StoreConfig, results: readonly CheckResult[]): readonly Diagnosis[] {
  return results.map((result) => ({ storeId: id, ...result }));
}
