import type { Payment, PaymentState } from "@tillkit/core";
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
  const shown = STATE_CHOICES.filter((choice) => !isCounted || counts.payments[choice] > 0 || choice === state);
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

/** What waits for a person, what was paid, then the rest: on a phone only the first choices are on the screen. */
const FIRST_CHOICES = ["review", "duplicate", "recorded", "verified", "refunding", "refunded", "open"] as const;
const STATE_CHOICES = [...new Set<PaymentState>([...FIRST_CHOICES, ...PAYMENT_STATES])];

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
  /** The payments of this amount, where nothing is called so. */
  readonly ofAmount: readonly Payment[];
  readonly searched: string;
  /** Whether the other mode has a payment that was searched for. */
  readonly isInOtherMode: boolean;
};

/** The page of a search: before it, when it found no payment, and when it found several. */
export function foundPage(result: Found, context: PageContext): OperatorPage {
  const { searched } = result;
  const { texts, language, base } = context;
  const colon = language === "fr" ? " :" : ":";
  const title = searched === "" ? frameTexts[language].find : `${texts.search.button}${colon} ${searched}`;
  const body = html`<h1>${title}</h1>
<form class="find" role="search" aria-label="${texts.search.button}" action="${base}/find" method="get"><div class="field"><label for="find">${texts.search.label}</label><input id="find" name="q" type="search" required maxlength="120" autocomplete="off" autocapitalize="off" spellcheck="false" value="${searched}"${searched === "" && html` autofocus`} aria-describedby="find-hint"><p class="hint" id="find-hint">${texts.search.hint}</p></div><button>${texts.search.button}</button></form>
${searched !== "" && found(result, title, context)}`;
  return { title, body, menuItem: null };
}

function found({ rows, ofAmount, searched, isInOtherMode }: Found, caption: string, context: PageContext): Html {
  const { search } = context.texts;
  if (rows.length > 0) return paymentTable({ caption, payments: rows }, context);
  if (isInOtherMode) return html`<p class="card">${otherMode(searched, context)}</p>`;
  if (ofAmount.length === 0) return html`<p class="card">${search.none} ${amountLink(searched, null, context)}</p>`;
  const [newest] = ofAmount;
  return html`<p>${search.ofAmount}</p>
${paymentTable({ caption, payments: ofAmount }, context)}
<p class="pager">${amountLink(searched, newest?.amountDue.currency ?? null, context)}</p>`;
}

/** The list of payments: of this amount in this currency, where a day can be added, or with its open form. */
function amountLink(searched: string, currency: string | null, { base, texts }: PageContext): Html {
  const amount = searched.replace(/\s/g, "");
  const filters = currency === null ? { filter: "open" } : { least: amount, most: amount, currency };
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
