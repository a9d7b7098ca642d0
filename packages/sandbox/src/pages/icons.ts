import type { PaymentMethod } from "../domain/payment-methods.ts";
import { type Html, html } from "./html.ts";

const stroke = html`fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"`;

const outline = (paths: Html): Html => html`<svg viewBox="0 0 24 24" aria-hidden="true" ${stroke}>${paths}</svg>`;

export const lockIcon = outline(
  html`<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>`,
);
export const checkIcon = outline(html`<path d="m5 12.5 4.5 4.5L19 7.5"/>`);
export const clockIcon = outline(html`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`);
export const phoneIcon = outline(html`<rect x="7" y="3" width="10" height="18" rx="2.5"/><path d="M11 17.5h2"/>`);
export const bankIcon = outline(html`<path d="M4 10 12 5l8 5M6 10v7m4-7v7m4-7v7m4-7v7M4 20h16"/>`);
export const alertIcon = outline(html`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5v5m0 3.5v.01"/>`);

/** Neutral icons of the payment methods, without trade marks. */
export const methodIcons: Record<PaymentMethod, Html> = {
  wave: html`<svg class="sign" viewBox="0 0 40 26" aria-hidden="true"><rect width="40" height="26" rx="6" fill="#1fb6f2"/><path d="M6 16c3.5-6 6.5-6 9.3 0s5.8 6 9.4 0 6-6 9.3 0" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round"/></svg>`,
  mtn: html`<svg class="sign" viewBox="0 0 40 26" aria-hidden="true"><rect width="40" height="26" rx="6" fill="#ffcb05"/><path d="M13 7h14v12H13z" fill="none" stroke="#12313f" stroke-width="2.2" stroke-linejoin="round"/><path d="M17 13h6m-3-3v6" stroke="#12313f" stroke-width="2.2" stroke-linecap="round"/></svg>`,
  card: html`<svg class="sign" viewBox="0 0 40 26" aria-hidden="true"><rect width="40" height="26" rx="6" fill="#27405e"/><path d="M0 7h40v5H0z" fill="#0d2036"/><path d="M6 18.500h9" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>`,
};
