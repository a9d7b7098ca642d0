import { endpoints } from "@tillkit/client/endpoints";
import { statusByCode } from "../../../domain/api-error.ts";
import type { Fault, FaultRequest } from "../../../faults/fault-request.ts";
import { html } from "../../../pages/html.ts";
import { actionButton, checkboxField, selectField, textField } from "../../components/forms.ts";
import { pager, parsePage, rowsPerPage } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import { type ActionHandler, type ConsoleSection, FormProblem, type PageHandler } from "../../components/section.ts";
import type { ConsoleTexts } from "../../texts/texts.ts";

const methods = { POST: "POST", GET: "GET", PATCH: "PATCH", DELETE: "DELETE" };
const codes = Object.fromEntries(Object.entries(statusByCode).map(([code, status]) => [code, `${status} ${code}`]));
const statuses = ["400", "401", "403", "404", "409", "429", "500", "502", "503", "504"];

const faultsPage: PageHandler = (request) => {
  const { control, query, texts } = request;
  const { faults } = texts;
  const queued = control.listFaults();
  const { offset, limit } = parsePage(query);
  const pageAndNextFault = queued.slice(offset, offset + limit);
  const action = pageUrl("faults");
  const main = html`<h1>${texts.tabs.faults}</h1>
<p class="small">${faults.hint}</p>
${queued.length === 0 ? html`<p class="none">${faults.none}</p>` : html`<ul class="rows plain">${pageAndNextFault.slice(0, rowsPerPage).map((fault) => faultItem(texts, fault))}</ul>`}
${pager(request, { hasMore: pageAndNextFault.length > rowsPerPage })}
${queued.length > 0 && actionButton({ action: `${action}/clear`, label: faults.removeAll, variant: "quiet" })}
<h2>${faults.addTitle}</h2>
<form method="post" action="${action}/add" class="sheet">
${selectField({ name: "method", label: faults.method, choices: methods })}
${textField({ name: "path", label: faults.path, value: "/checkout-sessions", attributes: html`list="paths" required maxlength="200"` })}
${selectField({ name: "kind", label: faults.kind, choices: faults.effects })}
${selectField({ name: "status", label: faults.status, choices: Object.fromEntries(statuses.map((status) => [status, status])), chosen: "503" })}
${selectField({ name: "code", label: faults.code, choices: { "": faults.usualCode, ...codes } })}
${textField({ name: "delayMs", label: faults.holdFor, value: "5000", attributes: html`inputmode="numeric"` })}
${textField({ name: "patch", label: faults.patch, value: '{"amount":1}', attributes: html`maxlength="2000"` })}
${selectField({ name: "when", label: faults.when, choices: faults.timings })}
${textField({ name: "times", label: faults.times, value: "", attributes: html`inputmode="numeric"` })}
${checkboxField({ name: "repeat", value: "yes", label: faults.repeat, isTicked: false })}
${textField({ name: "share", label: faults.share, value: "", attributes: html`inputmode="decimal"` })}
${textField({ name: "seed", label: faults.seed, value: "" })}
${textField({ name: "forMs", label: faults.endsAfter, value: "", attributes: html`inputmode="numeric"` })}
<button>${faults.add}</button>
</form>
<datalist id="paths">${[...new Set(Object.values(endpoints).map(({ path }) => path))].map((path) => html`<option value="${path}"></option>`)}</datalist>`;
  return { tab: "faults", title: texts.tabs.faults, main };
};

function faultItem(texts: ConsoleTexts, { method, path, when, times, ...rest }: Fault) {
  return html`<li><b class="code">${method} ${path}</b> <span class="about">${effectText(texts, rest)} · ${texts.faults.moment[when]}${restrictionsText(texts, rest)} · ${texts.lists.requests(times)}</span></li>
`;
}

function restrictionsText({ faults }: ConsoleTexts, { repeat, share, until }: Partial<Fault>): string {
  let text = "";
  if (repeat) text += ` · ${faults.repeatsOnly}`;
  if (share !== undefined) text += ` · ${faults.shareOf(share)}`;
  if (until !== undefined) text += ` · ${faults.until(until)}`;
  return text;
}

function effectText({ faults }: ConsoleTexts, { status, code, reset, delayMs, patch, empty }: Partial<Fault>): string {
  if (status !== undefined) return faults.error(status, code);
  if (empty !== undefined) return empty === "object" ? faults.emptyObject : faults.emptyBody;
  if (reset) return faults.closed;
  if (delayMs !== undefined) return faults.held(delayMs);
  return patch === undefined ? faults.cut : faults.changed(JSON.stringify(patch));
}

const addFault: ActionHandler = async ({ control, form, texts }) => {
  const readField = (name: string) => form.get(name)?.trim() ?? "";
  const request: Record<string, unknown> = {
    method: readField("method"),
    path: readField("path"),
    ...parseNumbers(["times", "share", "forMs"], readField),
    ...parseEffect(texts, readField),
  };
  if (readField("when") !== "") request.when = readField("when");
  if (readField("repeat") !== "") request.repeat = true;
  if (readField("seed") !== "") request.seed = readField("seed");
  // `addFault` validates the request.
  await control.addFault(request as FaultRequest);
  return { to: pageUrl("faults"), flashMessage: "fault-added" };
};

function parseNumbers(names: readonly string[], readField: (name: string) => string): Record<string, number> {
  const filled = names.filter((name) => readField(name) !== "");
  return Object.fromEntries(filled.map((name) => [name, Number(readField(name))]));
}

function parseEffect({ problems }: ConsoleTexts, readField: (name: string) => string): Record<string, unknown> {
  const kind = readField("kind");
  if (kind === "status") {
    const status = Number(readField("status"));
    return readField("code") === "" ? { status } : { status, code: readField("code") };
  }
  if (kind === "delayMs") return { delayMs: Number(readField("delayMs")) };
  if (kind === "emptyObject") return { empty: "object" };
  if (kind === "emptyBody") return { empty: "body" };
  if (kind !== "patch") return { [kind]: true };
  try {
    return { patch: JSON.parse(readField("patch")) };
  } catch {
    throw new FormProblem(problems.patch);
  }
}

const clearFaults: ActionHandler = async ({ control }) => {
  await control.clearFaults();
  return { to: pageUrl("faults"), flashMessage: "faults-removed" };
};

export const faultSection: ConsoleSection = {
  pages: { faults: faultsPage },
  actions: { "faults/add": addFault, "faults/clear": clearFaults },
};
