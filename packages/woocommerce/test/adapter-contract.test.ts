import { storeAdapterContract } from "@tillkit/testkit/vitest";
import { openAdapterFixture } from "./adapter-fixture.ts";

storeAdapterContract("a WooCommerce shop whose orders are written by the plugin's route", () =>
  openAdapterFixture("plugin"),
);
storeAdapterContract("a WooCommerce shop whose orders are written by its REST API", () => openAdapterFixture("rest"));
storeAdapterContract("a WooCommerce shop whose orders are written by the plugin's route or the REST API", () =>
  openAdapterFixture("auto"),
);
storeAdapterContract("a WooCommerce shop without a REST key, whose orders are read and written by the plugin", () =>
  openAdapterFixture("plugin", { hasRestKey: false }),
);
