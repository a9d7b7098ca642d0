import { createMemoryLedger } from "@tillkit/core/memory";
import { createManualClock, createWriteOnlyStore } from "@tillkit/testkit";
import { storeAdapterContract } from "@tillkit/testkit/vitest";
import { miniatureHarness } from "./miniature-harness.ts";

storeAdapterContract("the write-only store", async () => {
  const clock = createManualClock();
  const store = createWriteOnlyStore({ clock, records: createMemoryLedger().records });
  return miniatureHarness(store, clock, {
    secondAttempt: ({ ref }) => store.openSecondTab(ref.orderId),
    unsupported: {
      readBack: "the platform offers no read of a payment",
      titles: "the platform posts no title",
      payOutside: "the platform never says how else a checkout was paid",
    },
  });
});
