import {
  createGroupClaims,
  explainFinding,
  money,
  type OrderRef,
  type Records,
  type StoreAdapter,
} from "@tillkit/core";
import type { Notify, PostedPayment } from "./platform-wire.ts";

/** One shop of a platform that posts orders, can be told and never read. What it posted, and what we told it, is in `records`. */
export function createPlatformAdapter(storeId: string, records: Records, notify: Notify): StoreAdapter {
  const claims = createGroupClaims(records, "claim");

  async function findPost(ref: OrderRef, attempt: string): Promise<PostedPayment | null> {
    const row = ref.storeId === storeId ? await records.get(storeId, "post", attempt) : null;
    const post = row && (row.value as PostedPayment);
    return post?.referenceOrderId === ref.orderId ? post : null;
  }

  async function keepLine({ orderId }: OrderRef, kind: "hold" | "note", key: string, text: string): Promise<void> {
    await records.put(storeId, `${kind}:${orderId}`, key, text, "new");
  }

  return {
    platform: "offsite-platform",
    writes: { kind: "conditional" },
    async findOrder(ref, attempt) {
      const post = await findPost(ref, attempt);
      if (!post) return null;
      const claimed = await claims.find(ref);
      const isTold = claimed?.state === "told";
      return {
        ref,
        attempt,
        total: money(post.amount, post.currency),
        title: `${storeId} ${post.referenceOrderId}`,
        language: post.language.startsWith("fr") ? "fr" : "en",
        environment: post.live ? "live" : "test",
        payable: !isTold,
        paidBy: isTold ? claimed.paymentId : null,
      };
    },
    async markPaid({ ref, attempt, paymentId, paid }) {
      if (!(await findPost(ref, attempt))) return { outcome: "gone", detail: `The platform never posted ${attempt}.` };
      const claimed = await claims.claim(ref, { paymentId, state: "telling" });
      if (claimed.paymentId !== paymentId) return { outcome: "other-payment", detail: `Paid by ${claimed.paymentId}.` };
      if (claimed.state === "told") return { outcome: "already", evidence: "acknowledged" };
      const answer = await notify({
        order_transaction_id: attempt,
        channel_order_transaction_id: paymentId,
        amount: String(paid.minor),
        currency: paid.currency,
        status: "SUCCEEDED",
      });
      if (answer === "CLOSED") {
        await claims.release(ref, paymentId);
        return { outcome: "not-payable", detail: "The platform has closed the order." };
      }
      await claims.claim(ref, { paymentId, state: "told" });
      return { outcome: answer === "SUCCESS" ? "recorded" : "already", evidence: "acknowledged" };
    },
    async holdForReview(ref, attempt, finding) {
      if (!(await findPost(ref, attempt))) return;
      await keepLine(ref, "hold", JSON.stringify(finding), explainFinding(finding, "en"));
    },
    addNote: (ref, key, text) => keepLine(ref, "note", key, text),
    async shopperUrl(ref, attempt, outcome) {
      const post = await findPost(ref, attempt);
      if (!post) throw new Error(`The platform never posted ${attempt}.`);
      return outcome === "paid" || outcome === "waiting" ? post.redirectUrl : post.cancelUrl;
    },
  };
}
