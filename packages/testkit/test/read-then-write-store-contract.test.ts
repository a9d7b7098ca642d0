import { createManualClock, createReadThenWriteStore } from "@tillkit/testkit";
import { storeAdapterContract } from "@tillkit/testkit/vitest";
import { miniatureHarness, ONE_ATTEMPT, refundsShownBy } from "./miniature-harness.ts";

storeAdapterContract("the read-then-write store", async () => {
  const clock = createManualClock();
  const store = createReadThenWriteStore({ clock });
  const harness = miniatureHarness(store, clock, {
    payOutside: async ({ ref }) => store.payOutside(ref.orderId),
    unsupported: ONE_ATTEMPT,
  });
  return { ...harness, probe: { ...harness.probe, refunds: refundsShownBy(store) } };
});
