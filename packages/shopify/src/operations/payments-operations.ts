import { z } from "zod";
import { type Operation, userErrors } from "../shopify-api/operation.ts";

// `reason` has a different type in two of the states, so each needs an alias.
const SESSION = `
    paymentSession {
      id
      state {
        __typename
        ... on PaymentSessionStateResolved { code }
        ... on PaymentSessionStateRejected { code rejectedReason: reason merchantMessage }
        ... on PaymentSessionStatePending { code pendingReason: reason }
      }
      nextAction { action context { ... on PaymentSessionActionsRedirect { redirectUrl } } }
    }`;

const sessionPayload = z.object({
  paymentSession: z
    .object({
      id: z.string(),
      state: z.object({ __typename: z.string() }),
      nextAction: z.object({ context: z.object({ redirectUrl: z.string().optional() }).nullish() }).nullish(),
    })
    .nullish(),
  userErrors,
});

export type SessionPayload = z.output<typeof sessionPayload>;

/** An operation of the Payments Apps API. Its field in `data` is the name of the operation in camel case. */
function paymentsOperation<Payload>(name: string, text: string, payload: z.ZodType<Payload>): Operation<Payload> {
  const field = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  const schema = z.object({ [field]: payload }).transform((data) => data[field] as Payload);
  return { name, api: "payments", text, schema };
}

export const resolvePayment = paymentsOperation(
  "PaymentSessionResolve",
  `mutation PaymentSessionResolve($id: ID!) {
  paymentSessionResolve(id: $id) {${SESSION}
    userErrors { field message }
  }
}`,
  sessionPayload,
);

export const rejectPayment = paymentsOperation(
  "PaymentSessionReject",
  `mutation PaymentSessionReject($id: ID!, $reason: PaymentSessionRejectionReasonInput!) {
  paymentSessionReject(id: $id, reason: $reason) {${SESSION}
    userErrors { field message }
  }
}`,
  sessionPayload,
);

export const pendPayment = paymentsOperation(
  "PaymentSessionPending",
  `mutation PaymentSessionPending($id: ID!, $pendingExpiresAt: DateTime!, $reason: PaymentSessionStatePendingReason!) {
  paymentSessionPending(id: $id, pendingExpiresAt: $pendingExpiresAt, reason: $reason) {${SESSION}
    userErrors { field message code }
  }
}`,
  sessionPayload,
);

/** What the owner can request after a payment. Adyen calls these modifications; Shopify has no common name. */
export type ModificationKind = "refund" | "capture" | "void";

const modificationPayload = z.object({ userErrors });

function modificationOperations(kind: "Refund" | "Capture" | "Void") {
  const session = `${kind.toLowerCase()}Session`;
  return {
    resolve: paymentsOperation(
      `${kind}SessionResolve`,
      `mutation ${kind}SessionResolve($id: ID!) {
  ${session}Resolve(id: $id) {
    ${session} { id }
    userErrors { field message code }
  }
}`,
      modificationPayload,
    ),
    reject: paymentsOperation(
      `${kind}SessionReject`,
      `mutation ${kind}SessionReject($id: ID!, $reason: ${kind}SessionRejectionReasonInput!) {
  ${session}Reject(id: $id, reason: $reason) {
    ${session} { id }
    userErrors { field message code }
  }
}`,
      modificationPayload,
    ),
  };
}

export const modificationMutations = {
  refund: modificationOperations("Refund"),
  capture: modificationOperations("Capture"),
  void: modificationOperations("Void"),
} as const;

export const configureApp = paymentsOperation(
  "PaymentsAppConfigure",
  `mutation PaymentsAppConfigure($externalHandle: String, $ready: Boolean!) {
  paymentsAppConfigure(externalHandle: $externalHandle, ready: $ready) {
    paymentsAppConfiguration { externalHandle ready }
    userErrors { field message }
  }
}`,
  z.object({ userErrors }),
);
