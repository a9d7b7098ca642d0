import type { Invariant } from "./invariant.ts";

export const acknowledgedWebhooks: Invariant = {
  id: "I6",
  title:
    "A webhook that was answered with 200 is in the ledger, a forged webhook is rejected and a genuine webhook is not.",
  findViolations: ({ webhooks }) =>
    webhooks.flatMap(({ at, status, genuine, stored }) => {
      const when = new Date(at).toISOString();
      if (status === null) return [];
      if (status >= 200 && status < 300 && !genuine) return [`the forged webhook of ${when} was answered ${status}`];
      if (status >= 200 && status < 300 && !stored) return [`the webhook of ${when} was answered ${status} and lost`];
      if (status >= 400 && status < 500 && genuine)
        return [`the genuine webhook of ${when} was rejected with ${status}`];
      return [];
    }),
};
