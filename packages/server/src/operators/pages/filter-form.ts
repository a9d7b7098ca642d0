import { CURRENCY_DECIMALS, formatMoney, PROVIDERS } from "@tillkit/core";
import type { PaymentFilter } from "@tillkit/core/ledger";
import { type Html, html } from "../../pages/html.ts";
import { filterTexts } from "../texts/filter-texts.ts";
import { listTexts } from "../texts/list-texts.ts";
import { methodText } from "../texts/payment-texts.ts";
import { currencyMark } from "./money-table.ts";
import type { PageContext } from "./page-context.ts";
import { storeField } from "./store-field.ts";

/** The names of the filters in the URL of the list. */
const FILTER_NAMES = ["state", "store", "method", "from", "until", "least", "most", "currency"] as const;

/** The filters of the current URL, without the cursor of its page. */
export function filterQuery(query: Readonly<Record<string, string>>): URLSearchParams {
  const filters = new URLSearchParams();
  for (const name of FILTER_NAMES) if (query[name]) filters.set(name, query[name]);
  return filters;
}

export type FilterForm = {
  /** The query of the URL. */
  readonly query: Readonly<Record<string, string>>;
  /** What was read from it. */
  readonly filter: PaymentFilter;
  readonly storeIds: readonly string[];
  readonly hasProblem: boolean;
};

/** The filters of the list of payments. The URL holds their values, so that a link leads to the same list. */
export function filterForm(form: FilterForm, context: PageContext): Html {
  const { query, storeIds, hasProblem } = form;
  const { base, language } = context;
  const texts = filterTexts[language];
  const isUsed = hasFilters(query);
  const methods = PROVIDERS.map((provider) => [provider, methodText(provider, language)] as const);
  return html`${isUsed && removableFilters(form, context)}<details class="card filters"${(hasProblem || query.filter === "open") && html` open`}><summary>${texts.heading}</summary>
${hasProblem && html`<p class="card care" role="alert">${texts.problem}</p>`}
<form action="${base}/payments" method="get">${query.state && html`<input type="hidden" name="state" value="${query.state}">`}
<div class="fields">
<div class="field">${storeField({ id: "f-store", label: texts.store, storeIds, chosen: query.store ?? "" }, context)}</div>
${select("method", texts.method, methods, query, texts.every)}
${field("from", texts.from, "date", query)}
${field("until", texts.until, "date", query)}
${field("least", texts.least, "text", query)}
${field("most", texts.most, "text", query)}
${select(
  "currency",
  texts.currency,
  Object.keys(CURRENCY_DECIMALS).map((code) => [code, currencyMark(code, language)]),
  query,
  null,
)}
</div>
<div class="actions"><button>${texts.button}</button>${isUsed && html`<a href="${base}/payments">${texts.reset}</a>`}</div>
${isUsed && html`<p class="hint">${texts.keep}</p>`}
</form></details>`;
}

export function hasFilters(query: FilterForm["query"]): boolean {
  return FIELD_NAMES.some((name) => query[name]);
}

/** Each filter that is used, as a link to the list without it. */
function removableFilters({ query, filter }: FilterForm, context: PageContext): Html {
  const { base, language } = context;
  const texts = filterTexts[language];
  const { minAmount, maxAmount, currency = "" } = filter;
  const amountOf = (minor: number | undefined) =>
    minor === undefined ? null : formatMoney({ minor, currency }, language);
  const shown: Readonly<Record<string, string | null>> = { least: amountOf(minAmount), most: amountOf(maxAmount) };
  // One amount from here to there is one filter, such as that of a search.
  const isExact = minAmount !== undefined && minAmount === maxAmount;
  const used = FIELD_NAMES.filter((name) => query[name] && !(isExact && name === "most"));
  const items = used.map((name) => {
    const value = query[name] ?? "";
    const label = isExact && name === "least" ? listTexts[language].amount : texts[name];
    const text = `${label} ${name === "method" ? methodText(value, language) : (shown[name] ?? value)}`;
    const without = filterQuery({ ...query, [name]: "", ...(isExact && name === "least" && { most: "" }) });
    const url = without.size === 0 ? `${base}/payments` : `${base}/payments?${without}`;
    return html`<li><a href="${url}" aria-label="${listTexts[language].remove(text)}">${text}<span aria-hidden="true">✕</span></a></li>\n`;
  });
  return html`<ul class="removable">${items}</ul>`;
}

/** The filters that open the form. `state` has its own links, and `currency` filters nothing without an amount. */
const FIELD_NAMES = ["store", "method", "from", "until", "least", "most"] as const;

function field(name: string, label: string, type: "date" | "text", query: FilterForm["query"]): Html {
  const isAmount = type === "text" && html` inputmode="decimal" maxlength="24" autocomplete="off"`;
  return html`<div class="field"><label for="f-${name}">${label}</label><input id="f-${name}" name="${name}" type="${type}"${isAmount} value="${query[name] ?? ""}"></div>`;
}

function select(
  name: string,
  label: string,
  choices: readonly (readonly [value: string, text: string])[],
  query: FilterForm["query"],
  textOfAll: string | null,
): Html {
  const options = choices.map(
    ([value, text]) => html`<option value="${value}"${value === query[name] && html` selected`}>${text}</option>`,
  );
  return html`<div class="field"><label for="f-${name}">${label}</label><select id="f-${name}" name="${name}">${textOfAll !== null && html`<option value="">${textOfAll}</option>`}${options}</select></div>`;
}
