/** Why the service refused a request for a Member Account (API.md#network). */
export const NETWORK_PROBLEMS = [
  "network_account_not_found",
  "network_account_not_active",
  "operator_not_active",
  "network_membership_not_found",
  "network_membership_not_active",
  "network_capability_missing",
  /** `Network requests require a secret API key` */
  "network_secret_key_required",
  /** `Service-Account is not supported on this endpoint` */
  "network_endpoint_not_supported",
] as const;

export type NetworkProblem = (typeof NETWORK_PROBLEMS)[number];

const SENTENCES: Readonly<Record<string, NetworkProblem>> = {
  "network requests require a secret api key": "network_secret_key_required",
  "service-account is not supported on this endpoint": "network_endpoint_not_supported",
};

/** Reads `error.message`, because the status and code of these refusals are not fixed. */
export function readNetworkProblem(message: string): NetworkProblem | undefined {
  const text = message.trim().replace(/\.$/, "").toLowerCase();
  return NETWORK_PROBLEMS.find((problem) => problem === text) ?? SENTENCES[text];
}
