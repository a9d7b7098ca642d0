import { type Clock, type Money, money } from "@tillkit/core";
import type { RandomBytes } from "../shop-id.ts";

export type PaymentSessionState = "open" | "pending" | "resolved" | "rejected";

/** One attempt to pay a checkout. Apps cannot read it. */
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
  /** Shopify has received a 2xx answer of the app to the payment request. */
  answered: boolean;
  /** The URL in the app's answer. Shopify uses it again for an abandoned checkout without another request. */
  redirectUrl: string | null;
};

/** A checkout, which has one session for each tab. */
export type ShopCheckout = {
  readonly group: string;
  total: Money;
  /** `closed`: abandoned or changed. Its sessions can no longer be resolved. */
  status: "open" | "pending" | "paid" | "refused" | "closed";
  readonly sessions: PaymentSession[];
  /** The code of the rejection that the shopper sees. */
  refusal: string | null;
};

export type MutationResult<Code> = { readonly session: PaymentSession } | { readonly error: Code };

/** Shopify's message for a refused resolve: one sentence for three causes and no code. */
export const RESOLVE_REFUSED =
  "Payment session has already been resolved with a different authentication, has already been rejected, or the response to start_payment_session request has not been received.";

export type PendingError =
  | "EXPIRED_PENDING_EXPIRES_AT"
  | "OUT_OF_RANGE_PENDING_EXPIRES_AT"
  | "NOT_FOUND"
  | "PENDING_INVALID_STATE";

export type CheckoutInput = {
  readonly total: Money;
  readonly test: boolean;
  readonly kind: PaymentSession["kind"];
  readonly locale: string;
  readonly email: string;
};

/** The payment sessions of one shop. `resolved` and `rejected` are final. */
export type PaymentSessions = {
  readonly checkouts: ReadonlyMap<string, ShopCheckout>;
  find(idOrGid: string): PaymentSession | null;
  begin(input: CheckoutInput): PaymentSession;
  /** Adds a session for another tab of the same checkout. */
  beginSibling(group: string): PaymentSession;
  /** The shopper changes the cart. Older sessions stay payable on their pages but can no longer be resolved. */
  changeTotal(group: string, total: Money): PaymentSession;
  close(group: string): void;
  resolve(gid: string, authorizationExpiresAt: string | null): MutationResult<"refused">;
  reject(gid: string, reason: NonNullable<PaymentSession["rejection"]>): MutationResult<"refused">;
  pending(gid: string, expiresAt: number, reason: string): MutationResult<PendingError>;
};

const MAX_PENDING_MS = 30 * 24 * 3_600_000;

/** @param randomBytes where the ids of sessions and groups come from */
export function createPaymentSessions(clock: Clock, randomBytes: RandomBytes): PaymentSessions {
  const checkouts = new Map<string, ShopCheckout>();
  const sessions = new Map<string, PaymentSession>();

  function checkoutOf(group: string): ShopCheckout {
    const checkout = checkouts.get(group);
    if (!checkout) throw new Error(`This shop has no checkout of the group ${group}.`);
    return checkout;
  }

  function add(checkout: ShopCheckout, template: Omit<CheckoutInput, "total">): PaymentSession {
    // An id contains no characters that must be encoded in URLs. The group of a session contains such characters.
    const id = `u0${randomBytes(18).toString("base64").replace(/[+/]/g, "x")}`;
    const { minor, currency } = checkout.total;
    const session: PaymentSession = {
      id,
      gid: `gid://shopify/PaymentSession/${id}`,
      group: checkout.group,
      amount: money(minor, currency),
      test: template.test,
      kind: template.kind,
      locale: template.locale,
      email: template.email,
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

  function addToGroup(group: string): PaymentSession {
    const checkout = checkoutOf(group);
    const [first] = checkout.sessions;
    if (!first) throw new Error(`The checkout ${group} has no session.`);
    return add(checkout, first);
  }

  /** Finds a session. A pending session that was not resolved in time becomes rejected here. */
  function find(idOrGid: string): PaymentSession | null {
    const session = sessions.get(idOrGid.replace("gid://shopify/PaymentSession/", "")) ?? null;
    if (session?.state === "pending" && (session.pendingExpiresAt ?? 0) <= clock.now()) {
      session.state = "rejected";
      const checkout = checkoutOf(session.group);
      if (checkout.status === "pending") checkout.status = "closed";
    }
    return session;
  }

  function settle(gid: string, state: "resolved" | "rejected"): MutationResult<"refused"> {
    const session = find(gid);
    if (!session) return { error: "refused" };
    if (session.state === state) return { session };
    const isFinal = session.state === "resolved" || session.state === "rejected";
    if (isFinal || !session.answered) return { error: "refused" };
    session.state = state;
    return { session };
  }

  return {
    checkouts,
    find,
    begin({ total, ...template }) {
      // Like Shopify's groups, this group contains characters that must be encoded in a URL.
      const group = `${randomBytes(30).toString("base64")}/+x=`;
      const checkout: ShopCheckout = { group, total, status: "open", sessions: [], refusal: null };
      checkouts.set(group, checkout);
      return add(checkout, template);
    },
    beginSibling: addToGroup,
    changeTotal(group, total) {
      const checkout = checkoutOf(group);
      for (const session of checkout.sessions) if (session.state === "open") session.state = "rejected";
      checkout.total = total;
      return addToGroup(group);
    },
    close(group) {
      const checkout = checkoutOf(group);
      for (const session of checkout.sessions) if (session.state === "open") session.state = "rejected";
      if (checkout.status === "open") checkout.status = "closed";
    },
    resolve(gid, authorizationExpiresAt) {
      const before = find(gid)?.state;
      const result = settle(gid, "resolved");
      if ("session" in result && before !== "resolved") {
        result.session.authorizationExpiresAt = authorizationExpiresAt;
        checkoutOf(result.session.group).status = "paid";
      }
      return result;
    },
    reject(gid, reason) {
      const before = find(gid)?.state;
      const result = settle(gid, "rejected");
      if ("session" in result && before !== "rejected") {
        result.session.rejection = reason;
        const checkout = checkoutOf(result.session.group);
        if (checkout.status !== "paid") checkout.status = "refused";
        checkout.refusal = reason.code;
      }
      return result;
    },
    pending(gid, expiresAt, reason) {
      const session = find(gid);
      if (!session) return { error: "NOT_FOUND" };
      if (session.state === "pending") return { session };
      if (session.state !== "open") return { error: "PENDING_INVALID_STATE" };
      if (expiresAt <= clock.now()) return { error: "EXPIRED_PENDING_EXPIRES_AT" };
      if (expiresAt > clock.now() + MAX_PENDING_MS) return { error: "OUT_OF_RANGE_PENDING_EXPIRES_AT" };
      session.state = "pending";
      session.pendingReason = reason;
      session.pendingExpiresAt = expiresAt;
      const checkout = checkoutOf(session.group);
      if (checkout.status === "open") checkout.status = "pending";
      return { session };
    },
  };
}
