import type { Dispute } from "@tillkit/core";
import { explainDispute } from "@tillkit/core/back-office";
import { isOpenDispute, isPastDeadline } from "@tillkit/core/ledger";
import { type Html, html } from "../../pages/html.ts";
import { answerTexts } from "../texts/answer-texts.ts";
import { evidenceTexts } from "../texts/dispute-evidence-texts.ts";
import type { DisputeKind } from "../texts/operator-texts.ts";
import type { PageContext } from "./page-context.ts";
import { paymentUrl, timeIn } from "./rows.ts";

/** A dispute with its order; `orderNumber` is null when its payment is no longer in the ledger. */
export type ShownDispute = { readonly dispute: Dispute; readonly orderNumber: string | null };

/** A card on the payment's pages; it is highlighted while evidence can still be sent. `decision`: what a person can do about it. */
export function disputeCard(dispute: Dispute, now: number, context: PageContext, decision: Html | null = null): Html {
  const isOpen = isOpenDispute(dispute);
  return html`<section class="card${isOpen && " attention"}" aria-label="${context.texts.disputes.one}">
<h2>${context.texts.disputes.one} ${disputeBadge(dispute, context)}</h2>
${deadline(dispute, now, context)}
<p>${explanation(dispute, now, context)}</p>
${evidence(dispute, now, context)}${decision}
<p class="small number">${dispute.id}</p>
</section>`;
}

/** Leads to the page of the two answers, for a dispute whose outcome only a person can tell. */
export function disputeDecision({ id, paymentId, status, outcome }: Dispute, context: PageContext): Html | null {
  if (status === "pending" || outcome !== null) return null;
  const texts = answerTexts[context.language].dispute;
  const url = `${paymentUrl(paymentId, context)}/dispute?dispute=${encodeURIComponent(id)}`;
  return html`<p>${texts.lead}</p>
${context.operator.canDecide && html`<div class="actions"><a class="button second" href="${url}">${texts.link}</a></div>`}`;
}

/** What the cardholder's bank said, where the dispute stands, and what to send while it can still be sent. */
export function disputeReason(dispute: Dispute, context: PageContext): Html {
  return html`<p>${explanation(dispute, context.now, context)}</p>${evidence(dispute, context.now, context)}`;
}

function explanation(dispute: Dispute, now: number, context: PageContext): string {
  return explainDispute(dispute, context.language, { now, timeText: (at) => timeIn(at, context) });
}

/** What to send, while it can still be sent. */
function evidence(dispute: Dispute, now: number, { language }: PageContext): Html {
  if (!isOpenDispute(dispute) || isPastDeadline(dispute, now)) return html``;
  const { whatToSend, byReason, other } = evidenceTexts[language];
  return html`<p><strong>${whatToSend}</strong> ${byReason[dispute.reason] ?? other}</p>`;
}

export function disputeBadge(dispute: Dispute, { texts }: PageContext): Html {
  const kind = kindOf(dispute);
  return html`<span class="badge ${BADGE_CLASSES[kind]}">${texts.disputes.kinds[kind]}</span>`;
}

const BADGE_CLASSES: Readonly<Record<DisputeKind, string>> = {
  pending: "care",
  lost: "care",
  won: "good",
  over: "calm",
};

function kindOf({ status, outcome }: Dispute): DisputeKind {
  return status === "pending" ? "pending" : (outcome ?? "over");
}

function deadline(dispute: Dispute, now: number, context: PageContext): Html {
  const { texts } = context;
  const { evidenceDueBy } = dispute;
  if (!isOpenDispute(dispute) || evidenceDueBy === null) return html``;
  const at = timeIn(evidenceDueBy, context);
  const text = isPastDeadline(dispute, now) ? texts.disputes.tooLate(at) : texts.disputes.dueBy(at);
  return html`<p><strong>${text}</strong></p>`;
}
