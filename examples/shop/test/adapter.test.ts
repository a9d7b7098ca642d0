import { storeAdapterContract } from "@tillkit/testkit/vitest";
import { createShopAdapter } from "../src/shop-adapter.ts";
import { openTestShop } from "./test-shop.ts";

storeAdapterContract("the example shop", async () => {
  const shop = await openTestShop();
  const createAdapter = () =>
    createShopAdapter(shop.database, { publicUrl: "http://localhost", environment: "test", now: Date.now });
  return { ...shop, adapter: createAdapter(), environment: "test", restart: async () => createAdapter() };
});
