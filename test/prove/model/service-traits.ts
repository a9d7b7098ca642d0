/**
 * What a service shows of the money that it moves. Services differ in it, so every history draws one set.
 *
 * `reads`: what readings of sessions, transactions and refunds name: the transaction's id and our session and reference; the same with
 * the transaction's other id; or nothing that ties a transaction to its session.
 * `events`: what events name: everything; of a success the session alone and of the rest the transaction alone; the transaction alone.
 * `reason`: what becomes of the `reason` of a refund.
 * `refundsDisputed`: whether the service makes refunds of money that a dispute has taken back.
 */
export type ServiceTraits = {
  readonly reads: "everything" | "codes" | "nothing";
  readonly events: "everything" | "session" | "transaction";
  readonly reason: "kept" | "cut" | "dropped" | "changed";
  readonly refundsDisputed: boolean;
};

export const PLAIN_SERVICE: ServiceTraits = {
  reads: "everything",
  events: "everything",
  reason: "kept",
  refundsDisputed: true,
};
