import { silentLog } from "@tillkit/core";
import { createOutbox } from "@tillkit/runtime";

const HOUR = 3_600_000;
const REFUND = { kind: "refund", paymentId: "p-1", amount: "50.00", currency: "XOF", test: true };
const UNSENT = { ...REFUND, result: null, requestedAt: null, readAt: null };

/**
 * Fills the outbox of Shopify's app as its code would, and stops in the middle: a webhook that is done, one that waits for hours, one that
 * failed and one that is due; a refund that waits for a person, and one whose process stopped. Returns them as jobs of hosts.
 */
export async function writeTasks(records, clock) {
  const webhooks = outboxOf("shopify-webhook", records, clock);
  const modifications = outboxOf("shopify-modification", records, clock);
  const webhook = (topic, refundId = null) => ({ topic, triggeredAt: clock.now(), orderIds: ["1001"], refundId });
  const tasks = [];

  async function add({ outbox, kind }, uniqueKey, state, result) {
    if ((await outbox.add("hats", uniqueKey, state)) !== "added") throw new Error(`${uniqueKey} was not added.`);
    tasks.push({ kind, storeId: "hats", uniqueKey, state, runs: result?.status === "done" ? 1 : 0 });
  }

  async function run({ outbox, results }, uniqueKey, result) {
    results.set(uniqueKey, result);
    if ((await outbox.runDue()) !== 1) throw new Error(`${uniqueKey} did not run.`);
  }

  const refused = { ...UNSENT, id: "1", gid: "gid://1", result: { kind: "resolve", attempts: 1 } };
  for (const [of, uniqueKey, state, result] of [
    [webhooks, "orders/create 1", webhook("orders/create"), { status: "done" }],
    [modifications, "gid://1", refused, { status: "dead", reason: "refund_not_recorded" }],
    [webhooks, "shop/redact 2", webhook("shop/redact"), { status: "later", dueAt: clock.now() + 12 * HOUR }],
    [webhooks, "orders/updated 3", webhook("orders/updated"), new Error("The shop did not answer.")],
  ]) {
    await add(of, uniqueKey, state, result);
    await run(of, uniqueKey, result);
  }
  await add(modifications, "gid://2", { ...UNSENT, id: "2", gid: "gid://2" });
  void modifications.outbox.runDue();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await add(webhooks, "refunds/create 4", webhook("refunds/create", "refund-4"));
  return tasks;
}

/** An outbox whose tasks end as `results` says by their key. A task without a result never ends. */
function outboxOf(kind, records, clock) {
  const results = new Map();
  async function run({ key, state }) {
    const result = results.get(key);
    if (result === undefined) await new Promise(() => {});
    if (result instanceof Error) throw result;
    return { ...result, state };
  }
  const outbox = createOutbox({ kind, records, clock, log: silentLog, run });
  return { outbox, results, kind: kind.replace("-", ".") };
}
