import { CURRENCY_DECIMALS, type Payment, type PaymentState } from "@tillkit/core";
import { PAYMENT_STATES, type Page } from "@tillkit/core/ledger";
import { type Html, html } from "../../pages/html.ts";
import { MODES } from "../mode.ts";
import { filterTexts } from "../texts/filter-texts.ts";
import { frameTexts } from "../texts/frame-texts.ts";
import { listTexts } from "../texts/list-texts.ts";
import { workTexts } from "../texts/work-texts.ts";
import { countText } from "./count-text.ts";
import { type FilterForm, filterForm, filterQuery, hasFilters } from "./filter-form.ts";
import { formTokenField } from "./form-fields.ts";
import type { OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";
import { paymentTable } from "./payment-table.ts";
import { decisionNotice, jobRow, pager, type ShownJob } from "./rows.ts";
import { emptyList } from "./table.ts";
import { technicalTabs } from "./technical-page.ts";

export type ListPage<Row> = { readonly page: Page<Row>; readonly after: string | null };

type PaymentList = ListPage<Payment> & {
  readonly state: PaymentState | null;
  readonly form: FilterForm;
  /** How each payment was paid, by payment id; null when no event named the method. */
  readonly methods: ReadonlyMap<string, string | null>;
};

export function paymentsPage({ page, after, state, form, methods }: PaymentList, context: PageContext): OperatorPage {
  const { texts, base, counts } = context;
  const title = texts.lists.payments(state && texts.states[state]);
  const urlWithState = (chosen: string | null) => {
    const query = filterQuery({ ...form.query, state: chosen ?? "" });
    return query.size === 0 ? `${base}/payments` : `${base}/payments?${query}`;
  };
  // With a filter, the counts of all payments of a state would not be those of the list.
  const isCounted = counts !== null && !hasFilters(form.query);
  const shown = PAYMENT_STATES.filter((choice) => !isCounted || counts.payments[choice] > 0 || choice === state);
  const chips = shown.map((choice) => {
    const count = isCounted && html` <span class="soft">${countText(counts.payments[choice], context)}</span>`;
    return chip(urlWithState(choice), html`${texts.states[choice]}${count}`, choice === state);
  });
  const body = html`<h1>${title}</h1>
<ul class="chips">${chip(urlWithState(null), texts.lists.every, state === null)}${chips}</ul>
${filterForm(form, context)}
${paymentRows({ page, methods, isFiltered: state !== null || hasFilters(form.query) }, context)}
${pager(urlWithState(state), { next: page.next, after }, context)}`;
  return { title, body, menuItem: "payments" };
}

const PICK_FORM = "pick";

function paymentRows(
  {
    page,
    methods,
    isFiltered,
  }: { page: Page<Payment>; methods: ReadonlyMap<string, string | null>; isFiltered: boolean },
  context: PageContext,
): Html {
  const { base, language, texts } = context;
  if (page.rows.length === 0 && page.next !== null) return html`<p class="card">${filterTexts[language].further}</p>`;
  if (page.rows.length === 0) return emptyList(...listTexts[language].empty[isFiltered ? "filtered" : "payments"]);
  return html`${paymentTable({ caption: texts.menu.payments, payments: page.rows, methods, form: PICK_FORM }, context)}
<form class="picked" id="${PICK_FORM}" action="${base}/chosen.csv" method="get"><button class="second">${listTexts[language].exportChosen}</button><button class="plain" name="format" value="excel">${listTexts[language].forExcel}</button></form>`;
}

type Found = {
  readonly rows: readonly Payment[];
  readonly searched: string;
  /** Whether the other mode has a payment that was searched for. */
  readonly isInOtherMode: boolean;
};

/** The page of a search: before it, when it found no payment, and when it found several. */
export function foundPage({ rows, searched, isInOtherMode }: Found, context: PageContext): OperatorPage {
  const { texts, language, base } = context;
  const colon = language === "fr" ? " :" : ":";
  const title = searched === "" ? frameTexts[language].find : `${texts.search.button}${colon} ${searched}`;
  const found =
    rows.length > 0
      ? paymentTable({ caption: title, payments: rows }, context)
      : html`<p class="card">${isInOtherMode ? otherMode(searched, context) : html`${texts.search.none} ${amountLink(searched, context)}`}</p>`;
  const body = html`<h1>${title}</h1>
<form class="find" role="search" aria-label="${texts.search.button}" action="${base}/find" method="get"><div class="field"><label for="find">${texts.search.label}</label><input id="find" name="q" type="search" required maxlength="120" autocomplete="off" autocapitalize="off" spellcheck="false" value="${searched}" aria-describedby="find-hint"><p class="hint" id="find-hint">${texts.search.hint}</p></div><button>${texts.search.button}</button></form>
${searched !== "" && found}`;
  return { title, body, menuItem: null };
}

/** What a caller may know without a number: the amount. The list of payments then filters by it; without one its form is open. */
function amountLink(searched: string, { base, texts }: PageContext): Html {
  const amount = /^[\d\s]{1,12}(?:[.,]\d{1,2})?$/.test(searched) ? searched.replace(/\s/g, "") : null;
  const hasCents = amount !== null && /[.,]/.test(amount);
  const currency = Object.keys(CURRENCY_DECIMALS).find((code) => !hasCents || CURRENCY_DECIMALS[code] !== 0) ?? "";
  const filters = amount === null ? { filter: "open" } : { least: amount, most: amount, currency };
  return html`<a href="${`${base}/payments?${new URLSearchParams(filters)}`}">${texts.search.byAmount}</a>`;
}

function otherMode(searched: string, { root, mode, language }: PageContext): Html {
  const frame = frameTexts[language];
  const other = MODES.find((choice) => choice !== mode) ?? mode;
  return html`${frame.foundInOther[other]} <a href="${root}/${other}/find?q=${encodeURIComponent(searched)}">${frame.otherLink[other]}</a>`;
}

export function deadJobsPage(
  list: ListPage<ShownJob>,
  query: Readonly<Record<string, string>>,
  context: PageContext,
): OperatorPage {
  const { texts, base, language } = context;
  const jobs = list.page.rows.map((job) => jobRow(job, context));
  const body = html`<h1>${texts.lists.dead}</h1>
${technicalTabs("dead", context)}
${decisionNotice(query, context)}
${jobs.length > 0 && html`<p>${texts.lists.deadLead}</p>`}
${list.page.rows.length > 1 && context.operator.canDecide && html`<form class="actions" action="${base}/jobs/retry-all" method="post">${formTokenField(context)}<button class="second">${workTexts[language].retryAll}</button></form>`}
${jobs.length > 0 ? html`<ul class="rows">${jobs}</ul>` : emptyList(...listTexts[language].empty.dead)}
${pager(`${base}/dead`, { next: list.page.next, after: list.after }, context)}`;
  return { title: texts.lists.dead, body, menuItem: "technical" };
}

export function chip(url: string, text: string | Html, isChosen: boolean): Html {
  return html`<li><a href="${url}"${isChosen && html` aria-current="true"`}>${text}</a></li>\n`;
}
