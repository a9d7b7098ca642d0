import { z } from "zod";
import { type Operation, userErrors } from "./operation.ts";

/**
 * Everything that is sent to the Payments Apps API. Valid in its versions 2026-01 to 2026-10, which a test proves against
 * the real schemas. `reason` stands in two types of `state` with different types of its own, hence the aliases.
 */
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

/** `field` of `data` has the operation's own name, with a small letter. */
function operation<Payload>(name: string, text: string, payload: z.ZodType<Payload>): Operation<Payload> {
  const field = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  const schema = z.object({ [field]: payload }).transform((data) => data[field] as Payload);
  return { name, api: "payments", text, schema };
}

export const resolvePayment = operation(
  "PaymentSessionResolve",
  `mutation PaymentSessionResolve($id: ID!) {
  paymentSessionResolve(id: $id) {${SESSION}
    userErrors { field message }
  }
}`,
  sessionPayload,
);

export const rejectPayment = operation(
  "PaymentSessionReject",
  `mutation PaymentSessionReject($id: ID!, $reason: PaymentSessionRejectionReasonInput!) {
  paymentSessionReject(id: $id, reason: $reason) {${SESSION}
    userErrors { field message }
  }
}`,
  sessionPayload,
);

export const pendPayment = operation(
  "PaymentSessionPending",
  `mutation PaymentSessionPending($id: ID!, $pendingExpiresAt: DateTime!, $reason: PaymentSessionStatePendingReason!) {
  paymentSessionPending(id: $id, pendingExpiresAt: $pendingExpiresAt, reason: $reason) {${SESSION}
    userErrors { field message code }
  }
}`,
  sessionPayload,
);

export type MoneySessionKind = "refund" | "capture" | "void";

const moneyPayload = z.object({ userErrors });

function moneyOperations(kind: "Refund" | "Capture" | "Void") {
  const session = `${kind.toLowerCase()}Session`;
  return {
    resolve: operation(
      `${kind}SessionResolve`,
      `mutation ${kind}SessionResolve($id: ID!) {
  ${session}Resolve(id: $id) {
    ${session} { id }
    userErrors { field message code }
  }
}`,
      moneyPayload,
    ),
    reject: operation(
      `${kind}SessionReject`,
      `mutation ${kind}SessionReject($id: ID!, $reason: ${kind}SessionRejectionReasonInput!) {
  ${session}Reject(id: $id, reason: $reason) {
    ${session} { id }
    userErrors { field message code }
  }
}`,
      moneyPayload,
    ),
  };
}

export const moneyMutations = {
  refund: moneyOperations("Refund"),
  capture: moneyOperations("Capture"),
  void: moneyOperations("Void"),
} as const;

export const configureApp = operation(
  "PaymentsAppConfigure",
  `mutation PaymentsAppConfigure($externalHandle: String, $ready: Boolean!) {
  paymentsAppConfigure(externalHandle: $externalHandle, ready: $ready) {
    paymentsAppConfiguration { externalHandle ready }
    userErrors { field message }
  }
}`,
  z.object({ userErrors }),
);

export const paymentsApiVersions = operation(
  "PublicApiVersions",
  "query PublicApiVersions { publicApiVersions { handle supported } }",
  z.array(z.object({ handle: z.string(), supported: z.boolean() })),
);
