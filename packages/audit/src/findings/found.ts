import type { Money } from "@tillkit/core";
import type { OrderFact, PaymentFact } from "../facts/facts.ts";
import type { Group } from "../matching/group.ts";
import { type Because, type Certainty, type Finding, type FindingKind, newFinding } from "./finding.ts";

type Details = {
  readonly amount: Money;
  readonly since: number;
  /** All of the group unless named. */
  readonly orders?: readonly OrderFact[];
  readonly payments?: readonly PaymentFact[];
  readonly certainty?: Certainty;
  readonly because?: readonly Because[];
  readonly shownBy?: "shop" | "service";
  readonly expected?: Money | null;
  readonly actual?: Money | null;
};

/** A finding about a group. What only resembles makes everything likely. */
export function found(kind: FindingKind, group: Group, details: Details): Finding {
  const isLikely = group.evidence === "resemblance" || details.certainty === "likely";
  return newFinding({
    kind,
    orders: group.orders,
    payments: group.payments,
    ...details,
    certainty: isLikely ? "likely" : "certain",
    because: [...group.reasons, ...(details.because ?? [])],
  });
}
