import { createManualClock, createReadThenWriteStore } from "@tillkit/testkit";
import { storeAdapterContract } from "@tillkit/testkit/vitest";
import { miniatureHarness, ONE_ATTEMPT } from "./miniature-harness.ts";

storeAdapterContract("the read-then-write store", async () => {
  const clock = createManualClock();
  const store = createReadThenWriteStore({ clock });
  const harness = miniatureHarness(store, clock, {
    payOutside: async ({ ref }) => store.payOutside(ref.orderId),
    unsupported: ONE_ATTEMPT,
  });
  const timesRefunded: typeof harness.probe.timesPaid = async ({ ref }) => store.refunds(ref.orderId).length;
  return { ...harness, probe: { ...harness.probe, timesRefunded } };
});
