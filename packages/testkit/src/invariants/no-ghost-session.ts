import type { Evidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

export const noGhostSession: Invariant = {
  id: "I5",
  title: "A payment has at most one page that can be paid, and every page has its payment.",
  broken: (evidence) => {
    const twice = evidence.payments.flatMap(({ id, session }) => {
      const own = evidence.sessions.filter(({ paymentId }) => paymentId === id);
      if (own.length > 1) return [`payment ${id} has ${own.length} sessions`];
      const known = session === null || own.length === 0 || own.some((one) => one.id === session.id);
      return known ? [] : [`payment ${id} names another session than it opened`];
    });
    return [...twice, ...ghosts(evidence)];
  },
};

function ghosts({ sessions, payments }: Evidence): string[] {
  const known = new Set(payments.map(({ id }) => id));
  return sessions.filter(({ paymentId }) => !known.has(paymentId)).map(({ id }) => `session ${id} has no payment`);
}
