import { randomBytes } from "node:crypto";
import { type Clock, type Money, money } from "@tillkit/core";

export type PaymentSessionState = "open" | "pending" | "resolved" | "rejected";

/** One try to pay a checkout, as Shopify keeps it. Nobody can read it. */
export type PaymentSession = {
  readonly id: string;
  readonly gid: string;
  readonly group: string;
  readonly amount: Money;
  readonly test: boolean;
  readonly kind: "sale" | "authorization";
  readonly locale: string;
  readonly email: string;
  readonly proposedAt: number;
  state: PaymentSessionState;
  rejection: { readonly code: string; readonly merchantMessage: string | null; readonly source: string | null } | null;
  pendingReason: string | null;
  pendingExpiresAt: number | null;
  authorizationExpiresAt: string | null;
  /** Shopify has read a 2xx of the app's to the payment request. */
  answered: boolean;
  /** From that answer; used again for an abandoned checkout, without another request. */
  redirectUrl: string | null;
};

/** All tabs of one checkout. */
export type ShopCheckout = {
  readonly group: string;
  total: Money;
  /** `closed`: abandoned for good, or changed meanwhile: its sessions can no longer be resolved. */
  status: "open" | "pending" | "paid" | "refused" | "closed";
  readonly sessions: PaymentSession[];
  /** The refusal that ended this way of paying, for the shopper to see. */
  refusal: string | null;
};

export type Mutation<Code> = { readonly session: PaymentSession } | { readonly error: Code };

/** What Shopify really says when it refuses a resolve: one sentence for three causes, and no code. */
export const RESOLVE_REFUSED =
  "Payment session has already been resolved with a different authentication, has already been rejected, or the response to start_payment_session request has not been received.";

export type PendingError =
  | "EXPIRED_PENDING_EXPIRES_AT"
  | "OUT_OF_RANGE_PENDING_EXPIRES_AT"
  | "NOT_FOUND"
  | "PENDING_INVALID_STATE";

export type Proposal = {
  readonly total: Money;
  readonly test: boolean;
  readonly kind: PaymentSession["kind"];
  readonly locale: string;
  readonly email: string;
};

/** The payment sessions of one shop: open, pending, then resolved or rejected for good. */
export type PaymentSessions = {
  readonly checkouts: ReadonlyMap<string, ShopCheckout>;
  find(idOrGid: string): PaymentSession | null;
  begin(want: Proposal): PaymentSession;
  /** Another tab of the same checkout. */
  beginSibling(group: string): PaymentSession;
  /** The shopper changed the cart: a new session; the older ones, still payable on their pages, can no longer be resolved. */
  changeTotal(group: string, total: Money): PaymentSession;
  close(group: string): void;
  resolve(gid: string, authorizationExpiresAt: string | null): Mutation<"refused">;
  reject(gid: string, reason: NonNullable<PaymentSession["rejection"]>): Mutation<"refused">;
  pending(gid: string, expiresAt: number, reason: string): Mutation<PendingError>;
};

const LONGEST_PENDING_MS = 30 * 24 * 3_600_000;

export function createPaymentSessions(clock: Clock): PaymentSessions {
  const checkouts = new Map<string, ShopCheckout>();
  const sessions = new Map<string, PaymentSession>();

  function checkoutOf(group: string): ShopCheckout {
    const checkout = checkouts.get(group);
    if (!checkout) throw new Error(`This shop has no checkout of the group ${group}.`);
    return checkout;
  }

  function add(checkout: ShopCheckout, like: Omit<Proposal, "total">): PaymentSession {
    // Letters that addresses and log lines stumble over do not occur in an id; in a group they do.
    const id = `u0${randomBytes(18).toString("base64").replace(/[+/]/g, "x")}`;
    const { minor, currency } = checkout.total;
    const session: PaymentSession = {
      id,
      gid: `gid://shopify/PaymentSession/${id}`,
      group: checkout.group,
      amount: money(minor, currency),
      test: like.test,
      kind: like.kind,
      locale: like.locale,
      email: like.email,
      proposedAt: clock.now(),
      state: "open",
      rejection: null,
      pendingReason: null,
      pendingExpiresAt: null,
      authorizationExpiresAt: null,
      answered: false,
      redirectUrl: null,
    };
    checkout.sessions.push(session);
    sessions.set(id, session);
    return session;
  }

  function another(group: string): PaymentSession {
    const checkout = checkoutOf(group);
    const [first] = checkout.sessions;
    if (!first) throw new Error(`The checkout ${group} has no session.`);
    return add(checkout, first);
  }

  // A pending payment that was not settled in time has failed.
  function find(idOrGid: string): PaymentSession | null {
    const session = sessions.get(idOrGid.replace("gid://shopify/PaymentSession/", "")) ?? null;
    if (session?.state === "pending" && (session.pendingExpiresAt ?? 0) <= clock.now()) {
      session.state = "rejected";
      const checkout = checkoutOf(session.group);
      if (checkout.status === "pending") checkout.status = "closed";
    }
    return session;
  }

  function settle(gid: string, state: "resolved" | "rejected"): Mutation<"refused"> {
    const session = find(gid);
    if (!session) return { error: "refused" };
    if (session.state === state) return { session };
    const isOver = session.state === "resolved" || session.state === "rejected";
    if (isOver || !session.answered) return { error: "refused" };
    session.state = state;
    return { session };
  }

  return {
    checkouts,
    find,
    begin({ total, ...like }) {
      const group = `${randomBytes(30).toString("base64")}/+x=`;
      const checkout: ShopCheckout = { group, total, status: "open", sessions: [], refusal: null };
      checkouts.set(group, checkout);
      return add(checkout, like);
    },
    beginSibling: another,
    changeTotal(group, total) {
      const checkout = checkoutOf(group);
      for (const session of checkout.sessions) if (session.state === "open") session.state = "rejected";
      checkout.total = total;
      return another(group);
    },
    close(group) {
      const checkout = checkoutOf(group);
      for (const session of checkout.sessions) if (session.state === "open") session.state = "rejected";
      if (checkout.status === "open") checkout.status = "closed";
    },
    resolve(gid, authorizationExpiresAt) {
      const before = find(gid)?.state;
      const done = settle(gid, "resolved");
      if ("session" in done && before !== "resolved") {
        done.session.authorizationExpiresAt = authorizationExpiresAt;
        checkoutOf(done.session.group).status = "paid";
      }
      return done;
    },
    reject(gid, reason) {
      const before = find(gid)?.state;
      const done = settle(gid, "rejected");
      if ("session" in done && before !== "rejected") {
        done.session.rejection = reason;
        const checkout = checkoutOf(done.session.group);
        if (checkout.status !== "paid") checkout.status = "refused";
        checkout.refusal = reason.code;
      }
      return done;
    },
    pending(gid, expiresAt, reason) {
      const session = find(gid);
      if (!session) return { error: "NOT_FOUND" };
      if (session.state === "pending") return { session };
      if (session.state !== "open") return { error: "PENDING_INVALID_STATE" };
      if (expiresAt <= clock.now()) return { error: "EXPIRED_PENDING_EXPIRES_AT" };
      if (expiresAt > clock.now() + LONGEST_PENDING_MS) return { error: "OUT_OF_RANGE_PENDING_EXPIRES_AT" };
      session.state = "pending";
      session.pendingReason = reason;
      session.pendingExpiresAt = expiresAt;
      const checkout = checkoutOf(session.group);
      if (checkout.status === "open") checkout.status = "pending";
      return { session };
    },
  };
}
