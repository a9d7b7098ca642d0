/** Why the service refused a request for a Member Account (API.md#network). */
export const MEMBER_ACCOUNT_PROBLEMS = [
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

export type MemberAccountProblem = (typeof MEMBER_ACCOUNT_PROBLEMS)[number];

const SENTENCES: Readonly<Record<string, MemberAccountProblem>> = {
  "network requests require a secret api key": "network_secret_key_required",
  "service-account is not supported on this endpoint": "network_endpoint_not_supported",
};

/** Finds the problem in `error.message`, because the status and code of these refusals vary. */
export function findMemberAccountProblem(message: string): MemberAccountProblem | undefined {
  const text = message.trim().replace(/\.$/, "").toLowerCase();
  return MEMBER_ACCOUNT_PROBLEMS.find((problem) => problem === text) ?? SENTENCES[text];
}
