import { explainFinding, findingKey, money, type OrderRef, type StoreAdapter } from "@tillkit/core";
import type { Records } from "@tillkit/core/ledger";
import { createGroupClaims } from "@tillkit/core/payment-groups";
import type { Notify, PostedPayment } from "./platform-wire.ts";

/** The store adapter of one shop on a platform that posts orders and offers no reads. `records` stores the posts and our writes. */
export function createPlatformAdapter(storeId: string, records: Records, notify: Notify): StoreAdapter {
  const claims = createGroupClaims(records, "claim");

  async function findPost(ref: OrderRef, attempt: string): Promise<PostedPayment | null> {
    const row = ref.storeId === storeId ? await records.get(storeId, "post", attempt) : null;
    const post = row && (row.value as PostedPayment);
    return post?.referenceOrderId === ref.orderId ? post : null;
  }

  async function addNotice({ orderId }: OrderRef, kind: "hold" | "note", key: string, text: string): Promise<void> {
    await records.put(storeId, `${kind}:${orderId}`, key, text, "new");
  }

  return {
    platform: "offsite-platform",
    writes: { kind: "conditional" },
    async findOrder(ref, attempt) {
      const post = await findPost(ref, attempt);
      if (!post) return null;
      const claim = await claims.find(ref);
      const isAcknowledged = claim?.state === "acknowledged";
      return {
        ref,
        attempt,
        total: money(post.amount, post.currency),
        title: `${storeId} ${post.referenceOrderId}`,
        language: post.language.startsWith("fr") ? "fr" : "en",
        environment: post.live ? "live" : "test",
        payable: !isAcknowledged,
        paidBy: isAcknowledged ? claim.paymentId : null,
      };
    },
    // #region mark-paid
    async markPaid({ ref, attempt, paymentId, paid }) {
      if (!(await findPost(ref, attempt))) return { outcome: "gone" };
      const claim = await claims.claim(ref, { paymentId, state: "pending" });
      if (claim.paymentId !== paymentId) return { outcome: "other-payment", paidBy: claim.paymentId };
      if (claim.state === "acknowledged") return { outcome: "already", evidence: "acknowledged" };
      const answer = await notify({
        order_transaction_id: attempt,
        channel_order_transaction_id: paymentId,
        amount: String(paid.minor),
        currency: paid.currency,
        status: "SUCCEEDED",
      });
      if (answer === "CLOSED") {
        await claims.release(ref, claim);
        return { outcome: "not-payable", why: { kind: "closed" } };
      }
      await claims.claim(ref, { paymentId, state: "acknowledged" });
      return { outcome: answer === "SUCCESS" ? "recorded" : "already", evidence: "acknowledged" };
    },
    // #endregion mark-paid
    async holdForReview(ref, attempt, finding) {
      if (!(await findPost(ref, attempt))) return;
      await addNotice(ref, "hold", findingKey(finding), explainFinding(finding, "en"));
    },
    addNote: (ref, key, text) => addNotice(ref, "note", key, text),
    async shopperUrl(ref, attempt, outcome) {
      const post = await findPost(ref, attempt);
      if (!post) throw new Error(`The platform never posted ${attempt}.`);
      return outcome === "paid" || outcome === "waiting" ? post.redirectUrl : post.cancelUrl;
    },
  };
}
