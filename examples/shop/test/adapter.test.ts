import { storeAdapterContract } from "@tillkit/testkit/vitest";
import { createTillAdapter } from "../src/till-adapter.ts";
import { openTestShop } from "./test-shop.ts";

storeAdapterContract("the example shop", async () => {
  const shop = await openTestShop();
  const connect = () =>
    createTillAdapter(shop.database, { publicUrl: "http://localhost", environment: "test", now: Date.now });
  return { ...shop, adapter: connect(), environment: "test", restart: async () => connect() };
});
