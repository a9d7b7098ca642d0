import { type Dispute, explainDispute, formatMoney, isOpenDispute } from "@tillkit/core";
import { type Html, html } from "../../pages/html.ts";
import type { DisputeKind } from "../words/words.ts";
import type { Look } from "./look.ts";
import { paymentLink, time, timeText } from "./parts.ts";

/** A dispute as operators see it; `orderId` null: its payment is no longer in the ledger. */
export type ShownDispute = { readonly dispute: Dispute; readonly orderId: string | null };

/** In a list: the order's number leads to the payment. `now` tells whether the deadline has passed. */
export function disputeRow({ dispute, orderId }: ShownDispute, now: number, look: Look): Html {
  const { words } = look;
  const name = orderId === null ? `${words.payment.payment} ${dispute.paymentId}` : `${words.lists.order} ${orderId}`;
  return html`<li${isOpenDispute(dispute) && html` class="attention"`}><div class="row">${
    orderId === null ? html`<span>${name}</span>` : html`<a href="${paymentLink(dispute.paymentId, look)}">${name}</a>`
  }
<span class="amount">${amountText(dispute, look)}</span>
${disputeBadge(dispute, look)}
<span class="time">${time(dispute.openedAt, look)}</span></div>
${deadline(dispute, now, look)}
<p>${explainDispute(dispute, look.language)}</p>
<p class="small number">${dispute.id}</p></li>`;
}

/** On the payment's own page, above everything else while somebody can still answer. */
export function disputeCard(dispute: Dispute, now: number, look: Look): Html {
  const isOpen = isOpenDispute(dispute);
  return html`<section class="card${isOpen && " attention"}" aria-label="${look.words.disputes.one}">
<h2>${look.words.disputes.one} ${disputeBadge(dispute, look)}</h2>
<p>${explainDispute(dispute, look.language)}</p>
${deadline(dispute, now, look)}
<p class="small number">${dispute.id}</p>
</section>`;
}

function disputeBadge(dispute: Dispute, { words }: Look): Html {
  const kind = kindOf(dispute);
  const mood = kind === "pending" || kind === "lost" ? "care" : kind === "won" ? "good" : "calm";
  return html`<span class="badge ${mood}">${words.disputes.kinds[kind]}</span>`;
}

function kindOf({ status, outcome }: Dispute): DisputeKind {
  return status === "pending" ? "pending" : (outcome ?? "over");
}

function amountText({ amount }: Dispute, { words, language }: Look): string {
  return amount === null ? words.disputes.noAmount : formatMoney(amount, language);
}

function deadline({ status, evidenceDueBy }: Dispute, now: number, { words, language }: Look): Html {
  if (status !== "pending" || evidenceDueBy === null) return html``;
  const at = timeText(evidenceDueBy, language);
  const text = evidenceDueBy < now ? words.disputes.tooLate(at) : words.disputes.dueBy(at);
  return html`<p><strong>${text}</strong></p>`;
}
