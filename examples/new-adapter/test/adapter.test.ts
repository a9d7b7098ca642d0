import { storeAdapterContract } from "@tillkit/testkit/vitest";
import { openShopUnderTest } from "./shop-under-test.ts";

storeAdapterContract("the JSON-file shop", async () => {
  const shop = await openShopUnderTest();
  const createAdapter = () => shop.connect((unwrapped) => unwrapped);
  return {
    ...shop,
    adapter: createAdapter(),
    environment: "test",
    restart: async () => createAdapter(),
    unsupported: {
      network: "shop and adapter share one process",
      secondAttempt: "the shop has no ids for attempts to pay",
    },
  };
});
