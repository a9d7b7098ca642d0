import type { Invariant } from "./invariant.ts";

export const acknowledgedWebhooks: Invariant = {
  id: "I6",
  title:
    "A webhook that was answered with 200 is in the ledger, a forged webhook is rejected and a genuine webhook is not.",
  findViolations: ({ webhooks }) =>
    webhooks.flatMap(({ at, status, genuine, stored }) => {
      if (status === null) return [];
      const when = new Date(at).toISOString();
      const isAccepted = status >= 200 && status < 300;
      const isRejected = status >= 400 && status < 500;
      if (isAccepted && !genuine) return [`the forged webhook of ${when} was answered ${status}`];
      if (isAccepted && !stored) return [`the webhook of ${when} was answered ${status} and lost`];
      if (isRejected && genuine) return [`the genuine webhook of ${when} was rejected with ${status}`];
      return [];
    }),
};
