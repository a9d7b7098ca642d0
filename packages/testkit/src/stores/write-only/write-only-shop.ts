import { type Clock, decimalText, type Money, sameMoney } from "@tillkit/core";
import type { Effect, OrderInput } from "../miniature-store.ts";
import type { NetworkLink } from "../network-link.ts";

/** The payment session that the shop posts to us when a shopper selects our payment method. The shop posts it once. */
export type PostedSession = {
  readonly id: string;
  readonly gid: string;
  /** All tabs of one checkout share the group. */
  readonly group: string;
  /** A decimal number, always with a point: `5000.0`. */
  readonly amount: string;
  readonly currency: string;
  readonly test: boolean;
  readonly customer: { readonly locale: string };
  readonly cancel_url: string;
};

/** The result of a mutation. The shop has no queries, and it returns `nextAction` only with the first success. */
export type MutationResult =
  | { readonly state: "RESOLVED" | "PENDING" | "REJECTED"; readonly nextAction: string | null }
  | { readonly userError: UserError };

export type UserError = "NOT_FOUND" | "GROUP_RESOLVED" | "ALREADY_RESOLVED" | "ALREADY_REJECTED" | "CHECKOUT_CHANGED";

/** The shop's whole API: three mutations, each conditional on the session's state. */
export type SessionMutations = {
  /** Is not sent after `sendBy`. */
  resolve(gid: string, networkTransactionId: string, sendBy?: number): Promise<MutationResult>;
  /** A pending payment fails unless it is resolved before `expiresAt` (milliseconds since 1970). */
  pending(gid: string, expiresAt: number): Promise<MutationResult>;
  reject(gid: string): Promise<MutationResult>;
};

export type Checkout = {
  readonly group: string;
  readonly locale: string;
  total: Money;
  status: "open" | "pending" | "refused" | "closed" | "paid";
  /** The payment that the resolve mutation named. */
  paidBy: string | null;
};

export type WriteOnlyShop = {
  readonly mutations: SessionMutations;
  checkout(group: string): Checkout;
  beginCheckout(input: OrderInput): PostedSession;
  /** Creates a new session of the same group: for another tab, or after the total changed. */
  beginSession(group: string): PostedSession;
  readonly effects: readonly Effect[];
};

type Session = {
  readonly gid: string;
  readonly total: Money;
  readonly checkout: Checkout;
  state: "open" | "pending" | "resolved" | "rejected";
  expiresAt: number;
};

const ORIGIN = "https://write-only.example";

export function createWriteOnlyShop(clock: Clock, network: NetworkLink): WriteOnlyShop {
  const checkouts = new Map<string, Checkout>();
  const sessions = new Map<string, Session>();
  const effects: Effect[] = [];

  function checkoutOf(group: string): Checkout {
    const checkout = checkouts.get(group);
    if (!checkout) throw new Error(`This shop has no checkout of the group ${group}.`);
    return checkout;
  }

  function beginSession(group: string): PostedSession {
    const checkout = checkoutOf(group);
    const id = `u0${String(sessions.size + 1).padStart(6, "0")}`;
    const gid = `gid://shop/PaymentSession/${id}`;
    const { total } = checkout;
    sessions.set(gid, { gid, total, checkout, state: "open", expiresAt: Number.POSITIVE_INFINITY });
    return postedSession(id, gid, checkout);
  }

  function findSession(gid: string): Session | null {
    const session = sessions.get(gid) ?? null;
    if (session?.state === "pending" && session.expiresAt <= clock.now()) session.state = "rejected";
    return session;
  }

  function resolve(gid: string, paymentId: string): MutationResult {
    const session = findSession(gid);
    if (!session) return { userError: "NOT_FOUND" };
    if (session.state === "resolved") return { state: "RESOLVED", nextAction: null };
    if (session.state === "rejected") return { userError: "ALREADY_REJECTED" };
    const { checkout, total } = session;
    if (checkout.status === "paid") return { userError: "GROUP_RESOLVED" };
    if (checkout.status === "closed" || !sameMoney(total, checkout.total)) return { userError: "CHECKOUT_CHANGED" };
    session.state = "resolved";
    checkout.status = "paid";
    checkout.paidBy = paymentId;
    effects.push({ orderId: checkout.group, attempt: gid, paymentId, total, at: clock.now() });
    return { state: "RESOLVED", nextAction: `${ORIGIN}/thank-you/${effects.length}` };
  }

  function changeState(gid: string, state: "pending" | "rejected", expiresAt: number): MutationResult {
    const mutationState = state === "pending" ? "PENDING" : "REJECTED";
    const session = findSession(gid);
    if (!session) return { userError: "NOT_FOUND" };
    if (session.state === state) return { state: mutationState, nextAction: null };
    if (session.state === "resolved") return { userError: "ALREADY_RESOLVED" };
    if (session.state === "rejected") return { userError: "ALREADY_REJECTED" };
    session.state = state;
    session.expiresAt = expiresAt;
    updateCheckout(session.checkout, state);
    return { state: mutationState, nextAction: `${ORIGIN}/${state}` };
  }

  return {
    effects,
    checkout: checkoutOf,
    beginCheckout: ({ total, language }) => {
      const group = groupName(checkouts.size + 1);
      checkouts.set(group, { group, total, locale: `${language}-SN`, status: "open", paidBy: null });
      return beginSession(group);
    },
    beginSession,
    mutations: {
      resolve: (gid, paymentId, sendBy) => network.write(() => resolve(gid, paymentId), sendBy),
      pending: (gid, expiresAt) => network.write(() => changeState(gid, "pending", expiresAt)),
      reject: (gid) => network.write(() => changeState(gid, "rejected", Number.POSITIVE_INFINITY)),
    },
  };
}

function updateCheckout(checkout: Checkout, state: "pending" | "rejected"): void {
  if (checkout.status !== "open" && checkout.status !== "pending") return;
  checkout.status = state === "pending" ? "pending" : "refused";
}

function postedSession(id: string, gid: string, { group, total, locale }: Checkout): PostedSession {
  const text = decimalText(total);
  return {
    id,
    gid,
    group,
    amount: text.includes(".") ? text : `${text}.0`,
    currency: total.currency,
    test: true,
    customer: { locale },
    cancel_url: `${ORIGIN}/checkouts/${id}`,
  };
}

// As on the real platform, a group name is base64 text with characters that need escaping in URLs and paths.
function groupName(count: number): string {
  return `rZNvy+1jH6Z/BcPq${Buffer.from(String(count).padStart(6, "0")).toString("base64")}+xE=`;
}
