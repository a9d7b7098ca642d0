import type { Language } from "@tillkit/core";
import { allRecords } from "@tillkit/core/hosts";
import type { Records } from "@tillkit/core/ledger";
import { shopifyLimits } from "../limits.ts";

const KIND = "shopify-payment";
/** Repeated posts of a session, one row a minute. */
const POSTS = "shopify-payment-post";

/** A payment session that Shopify posted and that cannot be read from Shopify again. Times in milliseconds since 1970. */
export type PaymentSession = {
  readonly id: string;
  /** Shopify's global id: `gid://shopify/PaymentSession/…` */
  readonly gid: string;
  /** All payment sessions of one checkout have the same group. */
  readonly group: string;
  /** The decimal amount as Shopify posted it. */
  readonly amount: string;
  readonly currency: string;
  readonly test: boolean;
  readonly language: Language;
  readonly cancelUrl: string;
  /** The URL with which we answer every post of the session. */
  readonly redirectUrl: string;
  /** When Shopify first posted the session. */
  readonly postedAt: number;
  /** Written before the rejection is sent to Shopify. */
  readonly rejectedAt: number | null;
  readonly pendingUntil: number | null;
  /** Where Shopify sends the shopper next, from its answer to our last mutation. */
  readonly nextUrl: string | null;
};

export type PaymentSessions = {
  find(shop: string, gid: string): Promise<PaymentSession | null>;
  /** Stores a new session and returns the stored row, which may be an earlier one. */
  add(shop: string, session: PaymentSession): Promise<PaymentSession>;
  update(
    shop: string,
    gid: string,
    change: Partial<Pick<PaymentSession, "rejectedAt" | "pendingUntil" | "nextUrl">>,
  ): Promise<void>;
  /** Records that Shopify posted the session again at this time. */
  addPost(shop: string, gid: string, at: number): Promise<void>;
  /** Whether Shopify posted the session at this time or later. A repeat counts for the whole minute in which it came. */
  wasPostedSince(shop: string, session: PaymentSession, since: number): Promise<boolean>;
  /** Removes the repeated posts of all shops that came before this time. */
  prunePosts(before: number): Promise<void>;
};

export function createPaymentSessions(records: Records): PaymentSessions {
  async function find(shop: string, gid: string): Promise<PaymentSession | null> {
    return ((await records.get(shop, KIND, gid))?.value as PaymentSession | undefined) ?? null;
  }

  return {
    find,
    async add(shop, session) {
      if ((await records.put(shop, KIND, session.gid, session, "new")) === "done") return session;
      return (await find(shop, session.gid)) ?? session;
    },
    async update(shop, gid, change) {
      for (let attempt = 0; attempt < shopifyLimits.writeAttempts; attempt += 1) {
        const row = await records.get(shop, KIND, gid);
        if (!row) return;
        const next = { ...(row.value as PaymentSession), ...change };
        if ((await records.put(shop, KIND, gid, next, row.version)) === "done") return;
      }
      throw new Error("Too many processes are changing this payment session at the same time. Try again.");
    },
    async addPost(shop, gid, at) {
      // A single insert, which does nothing where the minute already has a row, so simultaneous repeats cannot make it fail.
      await records.put(shop, POSTS, postKey(gid, at), { at }, "new");
    },
    async wasPostedSince(shop, { gid, postedAt }, since) {
      if (postedAt >= since) return true;
      // The keys are sorted, so the first key after the minute before `since` is a post of this session, or there was none.
      const after = { storeId: shop, key: postKey(gid, since - MINUTE_MS) };
      const [next] = await records.list({ kind: POSTS, storeId: shop, after, limit: 1 });
      return next?.key.startsWith(`${gid} `) === true;
    },
    async prunePosts(before) {
      for await (const { storeId, key, value, version } of allRecords(records, { kind: POSTS })) {
        if ((value as { readonly at: number }).at < before) await records.remove(storeId, POSTS, key, version);
      }
    },
  };
}

const MINUTE_MS = 60_000;

/** The time is written up to its minute, so that the keys of one session are sorted by time. */
function postKey(gid: string, at: number): string {
  return `${gid} ${new Date(at).toISOString().slice(0, "2026-01-01T00:00".length)}`;
}
