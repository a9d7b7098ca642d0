import type { RecoveryResult } from "./recover-payments.ts";

/** What a recovery found, for the terminal of an operator. */
export function describeRecovery(result: RecoveryResult): string {
  const { scanned, recovered, refundsSynced, disputeEvents, disputesKnownSince } = result;
  const known =
    disputesKnownSince === null
      ? "no delivery log was found, so disputes of recovered payments are not known"
      : `disputes before ${new Date(disputesKnownSince).toISOString()} are not known`;
  return `transactions checked ${scanned}, payments recovered ${recovered.length}, payments with a recovered refund ${refundsSynced.length}, dispute events found ${disputeEvents}; ${known}.`;
}
