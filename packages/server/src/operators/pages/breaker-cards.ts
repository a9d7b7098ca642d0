import type { CircuitBreaker, StoreBlockOf } from "@tillkit/core/hosts";
import { type Html, html } from "../../pages/html.ts";
import type { PageContext } from "./page-context.ts";
import { timeIn } from "./rows.ts";

/** The stores and services that do not answer at the moment, and the stores that refuse us. */
export function breakerCards(
  openBreakers: readonly CircuitBreaker[],
  refusing: readonly StoreBlockOf[],
  context: PageContext,
): Html {
  const { overview } = context.texts;
  const sentences = [
    ...openBreakers.map((breaker) => downText(breaker, context)),
    ...refusing.map(({ storeId, since }) => overview.storeRefuses(storeId, timeIn(since, context))),
  ];
  if (sentences.length === 0) return html``;
  return html`<h2>${overview.down}</h2>${sentences.map((sentence) => html`<p class="card care">${sentence}</p>`)}`;
}

function downText({ target, openUntil }: CircuitBreaker, context: PageContext): string {
  const { texts } = context;
  // `store:` or `credential:`, then an id that may contain colons.
  const [kind = "", ...rest] = target.split(":");
  const nextAttempt = openUntil <= context.now ? null : timeIn(openUntil, context);
  const name = rest.join(":");
  return kind === "store" ? texts.overview.storeDown(name, nextAttempt) : texts.overview.serviceDown(name, nextAttempt);
}
