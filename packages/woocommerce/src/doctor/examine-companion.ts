import { createTenants, systemClock } from "@tillkit/core";
import { createWooShop } from "../adapter/woo-shop.ts";
import { createRoundTrip } from "../companion/round-trip.ts";
import type { CompanionConfig, StoreConfig } from "../config/config.ts";
import { credentialsOf, environmentOf } from "../config/credentials.ts";
import { examineAddress } from "./examine-address.ts";
import { examineKey } from "./examine-key.ts";
import { examinePlugin } from "./examine-plugin.ts";
import { examineService } from "./examine-service.ts";

/** One thing that was looked at. `text` is one sentence: what is well, or what to do. */
export type Diagnosis = {
  readonly storeId: string;
  readonly about: "address" | "clock" | "key" | "plugin" | "money" | "service" | "webhooks";
  readonly say: "well" | "warning" | "mistake";
  readonly text: string;
};

export type Finding = Omit<Diagnosis, "storeId">;

/** Looks at every shop of a configuration, changes nothing, and says what to mend. The companion should be running. */
export async function* examineCompanion(config: CompanionConfig): AsyncGenerator<Diagnosis> {
  const tenants = createTenants({ credentials: credentialsOf(config) });
  const roundTrip = createRoundTrip({ config, clock: systemClock });
  for (const store of config.stores) {
    const shop = createWooShop({ ...store, storeId: store.id, environment: environmentOf(store), clock: systemClock });
    const address = await examineAddress(store.url, systemClock.now);
    yield* named(store, address);
    if (!address.some(({ say }) => say === "mistake")) {
      yield* named(store, await examineKey(shop.rest));
      yield* named(store, await examinePlugin(shop, store, config));
    }
    const trouble = await examineService({ tenants, clock: systemClock }, store.id, environmentOf(store));
    yield* named(store, [
      trouble === null
        ? { about: "service", say: "well", text: `The payment service accepts the ${environmentOf(store)} key.` }
        : { about: "service", say: "mistake", text: `The payment service does not answer as it should. ${trouble}` },
    ]);
    const lost = await roundTrip(store);
    yield* named(store, [
      lost === null
        ? { about: "webhooks", say: "well", text: "A signed delivery arrived by the public address." }
        : { about: "webhooks", say: "mistake", text: `A signed delivery did not arrive. ${lost}` },
    ]);
  }
}

function named({ id }: StoreConfig, findings: readonly Finding[]): readonly Diagnosis[] {
  return findings.map((finding) => ({ storeId: id, ...finding }));
}
