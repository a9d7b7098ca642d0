import type { Language } from "@tillkit/core";
import type { Audit } from "../audit.ts";
import { FINDING_KINDS } from "../findings/finding.ts";
import { AUDIT_TEXTS } from "../texts/texts.ts";
import { amountsText, dayText, describeFinding, sumByCurrency } from "./describe.ts";

/** The lines of a summary that fits one screen: counts and sums by kind, the largest differences, and whether it adds up. */
export function summaryLines(audit: Audit, language: Language): readonly string[] {
  const texts = AUDIT_TEXTS[language];
  const { findings, sides } = audit;
  const likely = findings.filter(({ certainty }) => certainty === "likely").length;
  const shops = audit.shops.map(({ shop }) => shop).join(", ");
  const kinds = FINDING_KINDS.flatMap((kind) => {
    const here = findings.filter((finding) => finding.kind === kind);
    const count = String(here.length).padStart(5);
    return here.length === 0
      ? []
      : [`${count}  ${texts.kinds[kind].name}  ${amountsText(sumByCurrency(here), language)}`];
  });
  const largest = [...findings].sort((left, right) => right.amount.minor - left.amount.minor).slice(0, SHOWN);
  return [
    `${texts.title}  ${shops}`,
    texts.period(dayText(audit.from, language), dayText(audit.until - 1, language)),
    "",
    `${String(sides.orders.count).padStart(5)}  ${texts.columns.orders}  ${amountsText(sides.orders.amounts, language)}`,
    `${String(sides.payments.count).padStart(5)}  ${texts.columns.payments}  ${amountsText(sides.payments.amounts, language)}`,
    `${String(sides.refunds.count).padStart(5)}  ${texts.columns.refunds}  ${amountsText(sides.refunds.amounts, language)}`,
    "",
    findings.length === 0 ? texts.nothing : texts.found(findings.length, likely),
    ...kinds,
    ...(largest.length === 0
      ? []
      : ["", ...largest.map((finding) => `  ${nameOf(finding)}  ${describeFinding(finding, language)}`)]),
    "",
    audit.addsUp ? texts.addsUp : texts.differs,
    ...(audit.environment === "test" ? [texts.testMoney] : []),
  ];
}

const SHOWN = 5;

function nameOf({ orders, payments }: Audit["findings"][number]): string {
  const [order] = orders;
  const [payment] = payments;
  return order === undefined ? (payment?.code ?? payment?.id ?? "") : `#${order.number}`;
}
