import type { Clock } from "@tillkit/core";
import { apiVersions } from "../graphql/api-versions.ts";
import type { RootResolvers } from "../graphql/graphql-operation.ts";
import type { WritableShopRecord } from "../shop-record.ts";
import type { ModificationKind, ModificationSession, ModificationSessions } from "./modification-sessions.ts";
import { type PaymentSession, type PaymentSessions, type PendingError, RESOLVE_REFUSED } from "./payment-sessions.ts";

/** The configuration of the payments app in the shop: whether it is ready, and the name of the account. */
export type Gateway = { ready: boolean; externalHandle: string | null };

export type PaymentsContext = {
  readonly clock: Clock;
  readonly payments: PaymentSessions;
  readonly modifications: ModificationSessions;
  readonly gateway: Gateway;
  readonly record: WritableShopRecord;
  /** The page of the shopper after the checkout. */
  thankYouUrl(session: PaymentSession): string;
};

type Reason = { readonly code: string; readonly merchantMessage?: string | null; readonly source?: string | null };

/** The root resolvers of the Payments Apps API. An app can change payment sessions there but not read them. */
export function paymentsResolvers(context: PaymentsContext): RootResolvers {
  return {
    publicApiVersions: () => apiVersions(context.clock.now()),
    paymentSessionResolve: ({ id, authorizationExpiresAt }: { id: string; authorizationExpiresAt?: string }) =>
      changePayment(
        context,
        id,
        "resolved",
        () => context.payments.resolve(id, authorizationExpiresAt ?? null),
        resolveRefused,
      ),
    paymentSessionReject: ({ id, reason }: { id: string; reason: Reason }) =>
      changePayment(context, id, "rejected", () => context.payments.reject(id, rejection(reason)), resolveRefused),
    paymentSessionPending: (args: { id: string; pendingExpiresAt: string; reason: string }) => {
      const { id, pendingExpiresAt, reason } = args;
      const change = () => context.payments.pending(id, Date.parse(pendingExpiresAt), reason);
      return changePayment(context, id, "pending", change, (code: PendingError) => ({ code, ...PENDING_ERRORS[code] }));
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
    ...modificationResolvers(context, "Refund"),
    ...modificationResolvers(context, "Capture"),
    ...modificationResolvers(context, "Void"),
    paymentsAppConfigure: ({ externalHandle, ready }: { externalHandle?: string | null; ready: boolean }) => {
      context.gateway.ready = ready;
      context.gateway.externalHandle = externalHandle ?? null;
      return { paymentsAppConfiguration: { ...context.gateway }, userErrors: [] };
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

function resolveRefused() {
  return { field: ["id"], message: RESOLVE_REFUSED };
}

function rejection({ code, merchantMessage, source }: Reason) {
  return { code, merchantMessage: merchantMessage ?? null, source: source ?? null };
}

function changePayment<Code>(
  context: PaymentsContext,
  id: string,
  effectKind: "resolved" | "rejected" | "pending",
  change: () => { readonly session: PaymentSession } | { readonly error: Code },
  userError: (code: Code) => object,
) {
  const stateBefore = context.payments.find(id)?.state;
  const result = change();
  if ("error" in result) return { paymentSession: null, userErrors: [userError(result.error)] };
  const { session } = result;
  if (session.state !== stateBefore) {
    context.record.addEffect({
      at: context.clock.now(),
      kind: effectKind,
      id: session.gid,
      parentId: session.group,
      amount: session.amount,
    });
  }
  return { paymentSession: paymentObject(session, context.thankYouUrl(session)), userErrors: [] };
}

function paymentObject(session: PaymentSession, redirectUrl: string) {
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

function modificationResolvers(context: PaymentsContext, kind: ModificationKind): RootResolvers {
  const name = kind.toLowerCase();
  const settle = (id: string, to: Parameters<ModificationSessions["settle"]>[2]) =>
    settleModification(context, kind, id, to);
  return {
    [`${name}SessionResolve`]: ({ id }: { id: string }) => settle(id, { state: "resolved" }),
    [`${name}SessionReject`]: ({ id, reason }: { id: string; reason: Reason }) =>
      settle(id, { state: "rejected", reason: rejection(reason) }),
  };
}

/** The effect that the record gets when a modification session is resolved or rejected. */
const MODIFICATION_EFFECTS = {
  Refund: { resolved: "refunded", rejected: "refund-rejected" },
  Capture: { resolved: "captured", rejected: "capture-rejected" },
  Void: { resolved: "voided", rejected: "void-rejected" },
} as const;

function settleModification(
  { clock, modifications, record }: PaymentsContext,
  kind: ModificationKind,
  id: string,
  to: Parameters<ModificationSessions["settle"]>[2],
) {
  const name = kind.toLowerCase();
  const stateBefore = modifications.find(id)?.state;
  const result = modifications.settle(kind, id, to);
  if ("error" in result) {
    const code = `${kind.toUpperCase()}_SESSION_${result.error}`;
    const message =
      result.error === "NOT_FOUND"
        ? `${kind} session doesn't exist.`
        : `${kind} session has already been resolved or has already been rejected with a different reason.`;
    return { [`${name}Session`]: null, userErrors: [{ code, field: ["id"], message }] };
  }
  const { session } = result;
  if (stateBefore === "open") {
    const effectKind = MODIFICATION_EFFECTS[kind][to.state];
    const parentId = `gid://shopify/PaymentSession/${session.paymentId}`;
    record.addEffect({ at: clock.now(), kind: effectKind, id: session.gid, parentId, amount: session.amount });
  }
  return { [`${name}Session`]: modificationObject(kind, session), userErrors: [] };
}

function modificationObject(kind: ModificationKind, { gid, state, rejection: refusal }: ModificationSession) {
  const stateObject =
    state === "resolved"
      ? { __typename: `${kind}SessionStateResolved`, code: "RESOLVED" }
      : {
          __typename: `${kind}SessionStateRejected`,
          code: "REJECTED",
          reason: refusal?.code,
          merchantMessage: refusal?.merchantMessage ?? null,
        };
  return { id: gid, state: stateObject };
}
