import { type Mutant, onlyBy } from "./mutant.ts";

const TEST = "packages/audit/test/audit.test.ts";
const RIGHT = "nothing is found among 20,000 orders, and both sides add up to their totals";
const WRONG = "every one of 400 faults among 20,000 orders is found, and nothing else is";

/** A mutant of the audit's matching or judging, which the shops with planted faults, or those in which all is right, notice. */
function inAudit(id: string, breaks: string, file: string, find: string, replace: string, title: string): Mutant {
  const edits = [{ file: `packages/audit/src/${file}.ts`, find, replace }];
  return onlyBy(TEST, title, { id, breaks, edits });
}

/** Mutants of what an owner is told of a shop: money that is missing and not named, or named and not missing. */
export const auditing: readonly Mutant[] = [
  inAudit(
    "audit-metadata-before-order",
    "After a move the old id in the metadata names another order, and both orders are reported.",
    "matching/match-by-identity",
    "!linked.has(index) && payment.names.length > 0",
    "payment.names.length > 0",
    "what an order shows comes before what the metadata of its payment says",
  ),
  inAudit(
    "audit-order-key-ignored",
    "Payments that name the order's key are money of nobody.",
    "matching/match-by-identity",
    "for (const index of byAlias) found.add(index);",
    "",
    RIGHT,
  ),
  inAudit(
    "audit-several-shops-first-order",
    "A payment of one shop is put on the order with the same number in another.",
    "matching/match-by-identity",
    "amountIn(order, amount.currency) === amount.minor",
    "order.shop !== undefined",
    "nothing is found in three shops on one key whose orders have the same numbers",
  ),
  inAudit(
    "audit-split-order-alone",
    "A part of a split order counts as an order without money.",
    "matching/group-facts",
    "if (related !== undefined && !linked.has(index)) union.join(index, related);",
    "",
    RIGHT,
  ),
  inAudit(
    "audit-method-not-learned",
    "An order that a forged return set to paid passes as paid in cash.",
    "matching/service-methods",
    'return known > 0 && known * 2 >= paid ? "certain" : "no";',
    'return "no";',
    WRONG,
  ),
  inAudit(
    "audit-every-method-is-the-service",
    "Every order paid in cash is reported as an order without money.",
    "matching/service-methods",
    'return known > 0 && known * 2 >= paid ? "certain" : "no";',
    'return "certain";',
    RIGHT,
  ),
  inAudit(
    "audit-resembles-twice",
    "A payment that fits two orders is given to one of them.",
    "matching/match-by-resemblance",
    "} else if (pair.score === score) best.set(key, null);",
    "}",
    "a payment that fits two orders equally stays money of nobody",
  ),
  inAudit(
    "audit-resembles-another-customer",
    "A payment of one customer is given to the order of another.",
    "matching/match-by-resemblance",
    "if (bothNamed && order.customer !== payment.customer) return null;",
    "",
    "a payment of another customer is no candidate, and one of the same customer comes before a nearer one",
  ),
  inAudit(
    "audit-resemblance-is-certain",
    "What only resembles is called certain.",
    "findings/found",
    'const isLikely = group.evidence === "resemblance" || details.certainty === "likely";',
    'const isLikely = details.certainty === "likely";',
    "a payment that names nothing and fits one unpaid order is likely its payment, with the reason",
  ),
  inAudit(
    "audit-pending-refund-reported",
    "A refund that is on its way is reported as missing.",
    "findings/explain-difference",
    "if (sums.pending > 0 && difference > 0) difference -= Math.min(sums.pending, difference);",
    "",
    RIGHT,
  ),
  inAudit(
    "audit-refunds-not-compared",
    "A refund that only one side knows is called an amount that differs.",
    "findings/explain-difference",
    "if (showsRefunds && unseen > 0 && difference < 0) {",
    "if (showsRefunds && unseen > 0 && difference > 0) {",
    WRONG,
  ),
  inAudit(
    "audit-cancelled-is-right",
    "A cancelled order whose money was kept is not found.",
    "findings/explain-difference",
    "if (open.length === 0) return explainKept(group, currency, kept);",
    "if (open.length === 0) return [];",
    WRONG,
  ),
  inAudit(
    "audit-won-dispute-reported",
    "A dispute that was won is reported.",
    "findings/explain-difference",
    'group.disputes.filter(({ status }) => status !== "won")',
    "group.disputes",
    RIGHT,
  ),
  inAudit(
    "audit-till-is-nobodys",
    "Every sale at the till is reported as money of nobody.",
    "findings/judge-group",
    'if (first.channel !== null || isOfOtherSite(first, context)) return outcome("other_channel");',
    "",
    RIGHT,
  ),
  inAudit(
    "audit-test-money-is-money",
    "Test money on a live order passes as money.",
    "findings/judge-group",
    'if (testMoney.length > 0) return withFindings(testMoney, "test");',
    "",
    WRONG,
  ),
  inAudit(
    "audit-without-grace",
    "A payment of this minute is reported before its webhook came.",
    "findings/judge-group",
    'if (isUnderWay(group, context)) return outcome("under_way");',
    "",
    "a payment younger than ten minutes is under way, and a finding once it is older",
  ),
  inAudit(
    "audit-outside-of-what-was-read",
    "Orders that were paid before the first payment that was read are reported as orders without money.",
    "findings/judge-group",
    "at >= movements.from + auditLimits.graceMs && at < movements.until",
    "at < movements.until",
    "an order that was paid before the first movement that was read is no finding",
  ),
  inAudit(
    "audit-sums-of-nothing",
    "The report says that the groups add up although an order is in none.",
    "sums",
    "added.count === count &&",
    "",
    "sums that leave out one row, or one franc, do not agree",
  ),
];
