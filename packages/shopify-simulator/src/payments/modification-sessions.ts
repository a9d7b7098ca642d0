import { randomBytes } from "node:crypto";
import type { Money } from "@tillkit/core";

export type ModificationKind = "Refund" | "Capture" | "Void";

/** A refund, capture or void session: a request of the merchant to the app. */
export type ModificationSession = {
  readonly kind: ModificationKind;
  readonly id: string;
  readonly gid: string;
  readonly paymentId: string;
  /** Null for a void. */
  readonly amount: Money | null;
  readonly test: boolean;
  readonly proposedAt: number;
  state: "open" | "resolved" | "rejected";
  rejection: { readonly code: string; readonly merchantMessage: string | null } | null;
};

export type ModificationSessions = {
  readonly all: readonly ModificationSession[];
  begin(input: Pick<ModificationSession, "kind" | "paymentId" | "amount" | "test" | "proposedAt">): ModificationSession;
  find(idOrGid: string): ModificationSession | null;
  /** Shopify's error codes begin with the kind: `NOT_FOUND` stands for `REFUND_SESSION_NOT_FOUND`. */
  settle(
    kind: ModificationKind,
    gid: string,
    to:
      | { readonly state: "resolved" }
      | { readonly state: "rejected"; readonly reason: ModificationSession["rejection"] },
  ): { readonly session: ModificationSession } | { readonly error: "INVALID_STATE" | "NOT_FOUND" };
};

export function createModificationSessions(): ModificationSessions {
  const all: ModificationSession[] = [];
  const find = (idOrGid: string) => all.find(({ id, gid }) => id === idOrGid || gid === idOrGid) ?? null;
  return {
    all,
    find,
    begin(input) {
      const id = `${input.kind.charAt(0).toLowerCase()}0${randomBytes(18).toString("base64").replace(/[+/]/g, "x")}`;
      const gid = `gid://shopify/${input.kind}Session/${id}`;
      const session: ModificationSession = { ...input, id, gid, state: "open", rejection: null };
      all.push(session);
      return session;
    },
    settle(kind, gid, to) {
      const session = find(gid);
      if (session?.kind !== kind) return { error: "NOT_FOUND" };
      if (session.state === "open") {
        session.state = to.state;
        if (to.state === "rejected") session.rejection = to.reason;
        return { session };
      }
      // A repeated call is answered like the first call.
      const hasSameReason = to.state === "resolved" || to.reason?.code === session.rejection?.code;
      return session.state === to.state && hasSameReason ? { session } : { error: "INVALID_STATE" };
    },
  };
}
