import { randomBytes } from "node:crypto";
import type { Money } from "@tillkit/core";

export type MoneySessionKind = "Refund" | "Capture" | "Void";

/** A refund, capture or void that the merchant asked the app for. */
export type MoneySession = {
  readonly kind: MoneySessionKind;
  readonly id: string;
  readonly gid: string;
  readonly paymentId: string;
  /** Null of a void, which has none. */
  readonly amount: Money | null;
  readonly test: boolean;
  readonly proposedAt: number;
  state: "open" | "resolved" | "rejected";
  rejection: { readonly code: string; readonly merchantMessage: string | null } | null;
};

export type MoneySessions = {
  readonly all: readonly MoneySession[];
  begin(want: Pick<MoneySession, "kind" | "paymentId" | "amount" | "test" | "proposedAt">): MoneySession;
  find(idOrGid: string): MoneySession | null;
  /** `INVALID_STATE` and `NOT_FOUND` come behind the kind's name: `REFUND_SESSION_NOT_FOUND`. */
  settle(
    kind: MoneySessionKind,
    gid: string,
    to: { readonly state: "resolved" } | { readonly state: "rejected"; readonly reason: MoneySession["rejection"] },
  ): { readonly session: MoneySession } | { readonly error: "INVALID_STATE" | "NOT_FOUND" };
};

export function createMoneySessions(): MoneySessions {
  const all: MoneySession[] = [];
  const find = (idOrGid: string) => all.find(({ id, gid }) => id === idOrGid || gid === idOrGid) ?? null;
  return {
    all,
    find,
    begin(want) {
      const id = `${want.kind.charAt(0).toLowerCase()}0${randomBytes(18).toString("base64").replace(/[+/]/g, "x")}`;
      const gid = `gid://shopify/${want.kind}Session/${id}`;
      const session: MoneySession = { ...want, id, gid, state: "open", rejection: null };
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
      const sameReason = to.state === "resolved" || to.reason?.code === session.rejection?.code;
      return session.state === to.state && sameReason ? { session } : { error: "INVALID_STATE" };
    },
  };
}
