import type { Clock } from "@tillkit/core";
import type { RootFields } from "./graphql-api.ts";
import type { MoneySession, MoneySessionKind, MoneySessions } from "./money-sessions.ts";
import { type PaymentSession, type PaymentSessions, type PendingError, RESOLVE_REFUSED } from "./payment-sessions.ts";
import type { ShopBook } from "./shop-record.ts";
import { apiVersions } from "./versions.ts";

/** The payments app's place in the shop's admin: whether it is ready, and whose account it is. */
export type Gateway = { ready: boolean; externalHandle: string | null };

export type PaymentsDesk = {
  readonly clock: Clock;
  readonly payments: PaymentSessions;
  readonly moneySessions: MoneySessions;
  readonly gateway: Gateway;
  readonly book: ShopBook;
  /** Where the shopper goes once the shop knows. */
  thankYouUrl(session: PaymentSession): string;
};

type Reason = { readonly code: string; readonly merchantMessage?: string | null; readonly source?: string | null };

/** The Payments Apps API: mutations, and nothing to read. */
export function paymentsRootFields(desk: PaymentsDesk): RootFields {
  return {
    publicApiVersions: () => apiVersions(desk.clock.now()),
    paymentSessionResolve: ({ id, authorizationExpiresAt }: { id: string; authorizationExpiresAt?: string }) =>
      paymentChange(desk, id, "resolved", () => desk.payments.resolve(id, authorizationExpiresAt ?? null), refused),
    paymentSessionReject: ({ id, reason }: { id: string; reason: Reason }) =>
      paymentChange(desk, id, "rejected", () => desk.payments.reject(id, rejection(reason)), refused),
    paymentSessionPending: (args: { id: string; pendingExpiresAt: string; reason: string }) => {
      const { id, pendingExpiresAt, reason } = args;
      const change = () => desk.payments.pending(id, Date.parse(pendingExpiresAt), reason);
      return paymentChange(desk, id, "pending", change, (code: PendingError) => ({ code, ...PENDING_ERRORS[code] }));
    },
    paymentSessionRedirect: () => ({
      paymentSession: null,
      userErrors: [
        {
          __typename: "PaymentSessionRedirectUserError",
          code: "REDIRECT_NOT_SUPPORTED_FOR_OFFSITE",
          field: ["id"],
          message: "Redirect is not supported for offsite payment methods.",
        },
      ],
    }),
    ...moneyFields(desk, "Refund"),
    ...moneyFields(desk, "Capture"),
    ...moneyFields(desk, "Void"),
    paymentsAppConfigure: ({ externalHandle, ready }: { externalHandle?: string | null; ready: boolean }) => {
      desk.gateway.ready = ready;
      desk.gateway.externalHandle = externalHandle ?? null;
      return { paymentsAppConfiguration: { ...desk.gateway }, userErrors: [] };
    },
  };
}

const PENDING_ERRORS: Readonly<Record<PendingError, { readonly field: readonly string[]; readonly message: string }>> =
  {
    EXPIRED_PENDING_EXPIRES_AT: {
      field: ["pendingExpiresAt"],
      message: "Pending expiry date can't be a time in the past.",
    },
    OUT_OF_RANGE_PENDING_EXPIRES_AT: {
      field: ["pendingExpiresAt"],
      message: "Pending expiry date has exceeded the default pending expiry limit.",
    },
    NOT_FOUND: { field: ["id"], message: "Payment session doesn't exist." },
    PENDING_INVALID_STATE: { field: ["id"], message: "Payment session has already been resolved or rejected." },
  };

function refused() {
  return { field: ["id"], message: RESOLVE_REFUSED };
}

function rejection({ code, merchantMessage, source }: Reason) {
  return { code, merchantMessage: merchantMessage ?? null, source: source ?? null };
}

function paymentChange<Code>(
  desk: PaymentsDesk,
  id: string,
  what: "resolved" | "rejected" | "pending",
  change: () => { readonly session: PaymentSession } | { readonly error: Code },
  userError: (code: Code) => object,
) {
  const before = desk.payments.find(id)?.state;
  const done = change();
  if ("error" in done) return { paymentSession: null, userErrors: [userError(done.error)] };
  const { session } = done;
  if (session.state !== before) {
    desk.book.note({ at: desk.clock.now(), what, id: session.gid, of: session.group, amount: session.amount });
  }
  return { paymentSession: paymentView(session, desk.thankYouUrl(session)), userErrors: [] };
}

function paymentView(session: PaymentSession, redirectUrl: string) {
  const { gid, state, rejection: refusal, pendingReason, pendingExpiresAt, authorizationExpiresAt } = session;
  const states = {
    open: { __typename: "PaymentSessionStateBuyerActionRequired", code: "BUYER_ACTION_REQUIRED" },
    resolved: { __typename: "PaymentSessionStateResolved", code: "RESOLVED" },
    pending: { __typename: "PaymentSessionStatePending", code: "PENDING", reason: pendingReason },
    rejected: {
      __typename: "PaymentSessionStateRejected",
      code: "REJECTED",
      reason: refusal?.code ?? "PROCESSING_ERROR",
      merchantMessage: refusal?.merchantMessage ?? null,
      source: refusal?.source ?? null,
    },
  };
  return {
    id: gid,
    state: states[state],
    nextAction: { action: "REDIRECT", context: { __typename: "PaymentSessionActionsRedirect", redirectUrl } },
    authorizationExpiresAt,
    pendingExpiresAt: pendingExpiresAt === null ? null : new Date(pendingExpiresAt).toISOString(),
  };
}

function moneyFields(desk: PaymentsDesk, kind: MoneySessionKind): RootFields {
  const name = kind.toLowerCase();
  const settle = (id: string, to: Parameters<MoneySessions["settle"]>[2]) => moneyChange(desk, kind, id, to);
  return {
    [`${name}SessionResolve`]: ({ id }: { id: string }) => settle(id, { state: "resolved" }),
    [`${name}SessionReject`]: ({ id, reason }: { id: string; reason: Reason }) =>
      settle(id, { state: "rejected", reason: rejection(reason) }),
  };
}

function moneyChange(
  { clock, moneySessions, book }: PaymentsDesk,
  kind: MoneySessionKind,
  id: string,
  to: Parameters<MoneySessions["settle"]>[2],
) {
  const name = kind.toLowerCase();
  const before = moneySessions.find(id)?.state;
  const done = moneySessions.settle(kind, id, to);
  if ("error" in done) {
    const code = `${kind.toUpperCase()}_SESSION_${done.error}`;
    const message =
      done.error === "NOT_FOUND"
        ? `${kind} session doesn't exist.`
        : `${kind} session has already been resolved or has already been rejected with a different reason.`;
    return { [`${name}Session`]: null, userErrors: [{ code, field: ["id"], message }] };
  }
  const { session } = done;
  if (before === "open") {
    const past = { Refund: "refunded", Capture: "captured", Void: "voided" } as const;
    const what = to.state === "resolved" ? past[kind] : (`${name}-rejected` as "refund-rejected");
    const of = `gid://shopify/PaymentSession/${session.paymentId}`;
    book.note({ at: clock.now(), what, id: session.gid, of, amount: session.amount });
  }
  return { [`${name}Session`]: moneyView(kind, session), userErrors: [] };
}

function moneyView(kind: MoneySessionKind, { gid, state, rejection: refusal }: MoneySession) {
  const view =
    state === "resolved"
      ? { __typename: `${kind}SessionStateResolved`, code: "RESOLVED" }
      : {
          __typename: `${kind}SessionStateRejected`,
          code: "REJECTED",
          reason: refusal?.code,
          merchantMessage: refusal?.merchantMessage ?? null,
        };
  return { id: gid, state: view };
}
