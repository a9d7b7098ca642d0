import { formatMoney, type Language, type Money } from "@tillkit/core";
import { findProduct } from "../catalogue.ts";
import { type Html, html, keepSigns } from "../html.ts";
import { illustration } from "../illustrations.ts";
import { isPayable, type OrderStatus } from "../order-status.ts";
import type { ShopOrder } from "../orders.ts";
import type { Visit } from "../visit.ts";
import { formToken, type Page } from "./layout.ts";

export type OrderView = {
  readonly order: ShopOrder;
  readonly status: OrderStatus;
  /** A duplicate payment arrived and must be refunded. */
  readonly paidTwice: boolean;
  /** The page polls until its status changes. */
  readonly mayStillChange: boolean;
  readonly timeline: readonly { readonly at: number; readonly actor: string; readonly text: string }[];
};

const REFRESH_SECONDS = 5;
/** Without JavaScript, only pages with these statuses reload themselves, so that no reload interrupts a shopper's decision. */
const RELOADING_STATUSES: readonly OrderStatus[] = ["waiting", "recording", "refused", "unpaid"];

export function orderPage(visit: Visit, view: OrderView): Page {
  const { messages } = visit;
  const { order, status } = view;
  const name = messages.orderTitle(order.id);
  return {
    title: `${messages[status]} · ${name}`,
    ...(view.mayStillChange && RELOADING_STATUSES.includes(status) ? { refreshSeconds: REFRESH_SECONDS } : {}),
    body: html`
      <h1 class="order-name">${name}</h1>
      <div id="status" role="status">${statusPanel(visit, view)}</div>
      <div id="actions">${isPayable(status) && payForm(visit, view)}</div>
      <section class="panel" aria-labelledby="summary"><h2 id="summary">${messages.summary}</h2>
        <p class="hint">${messages.placedOn(day(order.placedAt, visit.language), order.pickupName)}</p>
        ${orderLines(visit, order)}</section>
      <section class="panel" aria-labelledby="timeline-title"><h2 id="timeline-title">${messages.timeline}</h2>
        <div id="timeline">${renderTimeline(visit, view)}</div></section>
      <p class="hint after">${messages.keepLink}</p>
      ${view.mayStillChange && html`<script src="/order.js" data-state="/orders/${order.key}/state" data-status="${status}" defer></script>`}
      ${view.mayStillChange && html`<script src="/pay.js" defer></script>`}`,
  };
}

function statusPanel(visit: Visit, { order, status, paidTwice }: OrderView): Html {
  const { messages, language } = visit;
  const isPartlyRefunded = status === "paid" && order.refunded.minor > 0;
  const text = status === "paid" ? messages.paidText(formatMoney(order.total, language)) : messages[`${status}Text`];
  return html`<div class="state ${TONES[status]}" data-status="${status}">${statusMark(TONES[status])}<div><p class="state-title">${messages[status]}</p><p>${text}</p>${isPartlyRefunded && html`<p>${partlyRefunded(visit, order)}</p>`}${paidTwice && html`<p class="problem">${messages.paidTwice}</p>`}</div></div>`;
}

function partlyRefunded({ messages, language }: Visit, { refunded, total }: ShopOrder): string {
  const left = { ...total, minor: total.minor - refunded.minor };
  return messages.partlyRefunded(formatMoney(refunded, language), formatMoney(left, language));
}

const TONES: Readonly<Record<OrderStatus, "good" | "wait" | "look" | "calm">> = {
  paid: "good",
  recording: "good",
  waiting: "wait",
  held: "wait",
  refused: "look",
  unavailable: "look",
  gone: "look",
  unpaid: "calm",
  cancelled: "calm",
  expired: "calm",
  voided: "calm",
  refunded: "calm",
};

const MARKS = {
  good: html`<path d="M9 17l5 5 10-11" />`,
  wait: html`<path d="M16 9v7l5 4" />`,
  look: html`<path d="M16 9v9M16 23v.5" />`,
  calm: html`<path d="M10 16h12" />`,
} as const;

function statusMark(tone: keyof typeof MARKS): Html {
  return html`<svg class="mark" viewBox="0 0 32 32" width="40" height="40" aria-hidden="true" focusable="false"><circle cx="16" cy="16" r="15"/><g>${MARKS[tone]}</g></svg>`;
}

function payForm(visit: Visit, { order, status }: OrderView): Html {
  const { messages, language } = visit;
  const labels: Partial<Record<OrderStatus, string>> = {
    unpaid: messages.payNow(formatMoney(order.total, language)),
    cancelled: messages.payAgain,
    waiting: messages.payAgain,
  };
  const isWaiting = status === "waiting";
  return html`${isWaiting && html`<p><a class="button quiet wide" href="/orders/${order.key}?outcome=waiting">${messages.checkNow}</a></p>`}
    <form method="post" action="/orders/${order.key}/pay" data-working="${messages.working}">${formToken(visit)}
    <button class="wide${isWaiting && " quiet"}">${labels[status] ?? messages.tryAgain}</button></form>`;
}

function orderLines({ messages, language }: Visit, order: ShopOrder): Html {
  const minor = order.lines.reduce((sum, line) => sum + line.price.minor * line.quantity, 0);
  const difference = order.total.minor - minor;
  const rows = order.lines.map(({ productId, quantity, price }) => {
    const name = findProduct(productId)?.name[language] ?? productId;
    const amount = formatMoney({ ...price, minor: price.minor * quantity }, language);
    return html`<li>${illustration(productId)}<span>${quantity} × ${name}</span> <span>${amount}</span></li>`;
  });
  return html`<ul class="plain">${rows}
      ${difference !== 0 && html`<li><span>${messages.adjustment}</span> <span>${signed({ ...order.total, minor: difference }, language)}</span></li>`}</ul>
    <p class="sum"><span>${messages.total}</span> <strong>${formatMoney(order.total, language)}</strong></p>`;
}

function signed(amount: Money, language: Language): string {
  const size = formatMoney({ ...amount, minor: Math.abs(amount.minor) }, language);
  return amount.minor < 0 ? `− ${size}` : `+ ${size}`;
}

function renderTimeline({ messages, language }: Visit, { timeline }: OrderView): Html {
  if (timeline.length === 0) return html`<p class="hint">${messages.timelineEmpty}</p>`;
  const lines = timeline.map(
    ({ at, actor, text }) =>
      html`<li><p class="timeline-when"><time datetime="${new Date(at).toISOString()}">${timeOfDay(at, language)}</time> · ${actor}</p><p>${keepSigns(text)}</p></li>`,
  );
  return html`<ol class="timeline">${lines}</ol>`;
}

// Times are in the shop's time zone, because its shoppers live all over the world.
const TIME_ZONE = "Africa/Abidjan";
const LOCALES = { fr: "fr-FR", en: "en-GB" } as const;

function day(at: number, language: Language): string {
  return new Intl.DateTimeFormat(LOCALES[language], { dateStyle: "long", timeZone: TIME_ZONE }).format(at);
}

function timeOfDay(at: number, language: Language): string {
  return new Intl.DateTimeFormat(LOCALES[language], { timeStyle: "medium", timeZone: TIME_ZONE }).format(at);
}
