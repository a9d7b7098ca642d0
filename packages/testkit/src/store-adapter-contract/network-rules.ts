import {
  assertOutcome,
  assertPaidOnce,
  assertThrows,
  assertUnpaid,
  placeOrder,
  type Rule,
  receiptFor,
  requirePart,
  waitUntilSettled,
} from "./rule.ts";

/** Longer than any caller waits, shorter than the maximum lifetime of a request. */
const LATE_MS = 60_000;

/** Rules about lost, late and rejected requests between adapter and shop. */
export const networkRules: readonly Rule[] = [
  {
    title: "an order is paid once although the answer to the paying write was lost",
    needs: ["network"],
    advice:
      "Throw a StoreError `unknown` when a write may have had its effect, and look at the order before the next write.",
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const receipt = receiptFor(harness, placed);
      await requirePart(harness, "network").loseNextAnswer("after-effect");
      await assertThrows("markPaid", harness.adapter.markPaid(receipt), "unknown");
      await waitUntilSettled(harness);
      assertOutcome("markPaid", await harness.adapter.markPaid(receipt), "already");
      await assertPaidOnce(harness, placed, receipt);
    },
  },
  {
    title: "a lost request does not count as paid, and the next attempt pays the order",
    needs: ["network"],
    advice: "Return an outcome only after the shop answered or was read; remember nothing before that.",
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const receipt = receiptFor(harness, placed);
      await requirePart(harness, "network").loseNextAnswer("before-effect");
      await assertThrows("markPaid", harness.adapter.markPaid(receipt), "unknown");
      await assertUnpaid(harness, placed);
      await waitUntilSettled(harness);
      assertOutcome("markPaid", await harness.adapter.markPaid(receipt), "recorded");
      await assertPaidOnce(harness, placed, receipt);
    },
  },
  {
    title: "a write that takes effect after its caller gave up pays the order once",
    needs: ["network"],
    advice: "Never repeat a write by yourself: throw `unknown`, and the engine calls again when it is safe.",
    check: async (harness) => {
      const network = requirePart(harness, "network");
      const placed = await placeOrder(harness);
      const receipt = receiptFor(harness, placed);
      await network.delayNextWrite(LATE_MS);
      await Promise.all([
        assertThrows("markPaid", harness.adapter.markPaid(receipt), "unknown"),
        network.advanceTime(LATE_MS - 1),
      ]);
      await assertUnpaid(harness, placed);
      // Only a store with conditional writes allows a second write while the first request is in flight.
      if (harness.adapter.writes.kind === "conditional") {
        assertOutcome("markPaid", await harness.adapter.markPaid(receipt), "recorded", "already");
      }
      await waitUntilSettled(harness);
      await network.advanceTime(LATE_MS);
      assertOutcome("markPaid", await harness.adapter.markPaid(receipt), "already");
      await assertPaidOnce(harness, placed, receipt);
    },
  },
  {
    title: "an order stays unpaid while its shop is down, and is paid when the shop is back",
    needs: ["network"],
    advice: "Throw a StoreError `unavailable` when the request certainly had no effect (connection refused, 503).",
    check: async (harness) => {
      const placed = await placeOrder(harness);
      const receipt = receiptFor(harness, placed);
      await requirePart(harness, "network").whileDown(async () => {
        await assertThrows("markPaid", harness.adapter.markPaid(receipt), "unavailable");
      });
      await assertUnpaid(harness, placed);
      assertOutcome("markPaid", await harness.adapter.markPaid(receipt), "recorded");
      await assertPaidOnce(harness, placed, receipt);
    },
  },
  {
    title: "findOrder throws while the shop is down instead of reporting that the order does not exist",
    needs: ["network", "readBack"],
    advice:
      "Throw a StoreError `unavailable` when the shop does not answer; null means that the shop says the order does not exist.",
    check: async (harness) => {
      const { ref, attempt } = await placeOrder(harness);
      await requirePart(harness, "network").whileDown(async () => {
        await assertThrows("findOrder", harness.adapter.findOrder(ref, attempt), "unavailable");
      });
    },
  },
];
