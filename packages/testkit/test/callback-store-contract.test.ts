import { createCallbackStore, createManualClock } from "@tillkit/testkit";
import { storeAdapterContract } from "@tillkit/testkit/vitest";
import { miniatureHarness, ONE_ATTEMPT } from "./miniature-harness.ts";

storeAdapterContract("the callback store", async () => {
  const clock = createManualClock();
  const store = createCallbackStore({ clock, authorize: async () => ({ status: "paid" }) });
  return miniatureHarness(store, clock, {
    payOutside: async ({ ref }) => store.payOutside(ref.orderId),
    unsupported: ONE_ATTEMPT,
  });
});
