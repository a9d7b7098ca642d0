import { endpoints } from "@tillkit/client/endpoints";
import { ApiError, statusByCode } from "../../../domain/api-error.ts";
import type { Fault, FaultRequest } from "../../../faults/fault-request.ts";
import { html } from "../../../pages/html.ts";
import { actionButton, checkboxField, selectField, textField } from "../../components/forms.ts";
import { countText } from "../../components/list-items.ts";
import { pager, parsePage, rowsPerPage } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ActionHandler, ConsoleSection, PageHandler } from "../../components/section.ts";

/** The values of the field `kind`: the effects of a fault. */
const effectLabels = {
  status: "Answer with an error",
  reset: "Close the connection",
  delayMs: "Hold the request",
  cutBody: "Cut the answer in half",
  patch: "Change the answer",
  emptyObject: "Answer 200 with {}",
  emptyBody: "Answer 200 without a body",
};
const methods = { POST: "POST", GET: "GET", PATCH: "PATCH", DELETE: "DELETE" };
const timings = {
  "": "Default of the fault",
  before: "Before the request is performed",
  after: "After the request was performed",
};
const codes = Object.fromEntries(Object.entries(statusByCode).map(([code, status]) => [code, `${status} ${code}`]));
const statuses = ["400", "401", "403", "404", "409", "429", "500", "502", "503", "504"];

const faultsPage: PageHandler = ({ control, query }) => {
  const queued = control.listFaults();
  const { offset, limit } = parsePage(query);
  const pageAndNextFault = queued.slice(offset, offset + limit);
  const action = pageUrl("faults");
  const main = html`<h1>Faults</h1>
<p class="small">A fault applies to the next matching request, the oldest fault first, and is then used up.</p>
${queued.length === 0 ? html`<p class="none">No fault is queued.</p>` : html`<ul class="rows plain">${pageAndNextFault.slice(0, rowsPerPage).map(faultItem)}</ul>`}
${pager(query, { hasMore: pageAndNextFault.length > rowsPerPage })}
${queued.length > 0 && actionButton({ action: `${action}/clear`, label: "Remove all", variant: "quiet" })}
<h2>Add a fault</h2>
<form method="post" action="${action}/add" class="sheet">
${selectField({ name: "method", label: "Method", choices: methods })}
${textField({ name: "path", label: "Path, as /checkout-sessions/{id}", value: "/checkout-sessions", attributes: html`list="paths" required maxlength="200"` })}
${selectField({ name: "kind", label: "What happens", choices: effectLabels })}
${selectField({ name: "status", label: "Error status", choices: Object.fromEntries(statuses.map((status) => [status, status])), chosen: "503" })}
${selectField({ name: "code", label: "Code of the error", choices: { "": "As usual for the status", ...codes } })}
${textField({ name: "delayMs", label: "Hold for, milliseconds", value: "5000", attributes: html`inputmode="numeric"` })}
${textField({ name: "patch", label: "Change of the answer, JSON", value: '{"amount":1}', attributes: html`maxlength="2000"` })}
${selectField({ name: "when", label: "When", choices: timings })}
${textField({ name: "times", label: "How many requests", value: "", attributes: html`inputmode="numeric" placeholder="1; without a limit when a share or an end is set"` })}
${checkboxField({ name: "repeat", value: "yes", label: "Only a request whose Idempotency-Key was answered before", isTicked: false })}
${textField({ name: "share", label: "Only a share of the requests, 0 to 1", value: "", attributes: html`inputmode="decimal"` })}
${textField({ name: "seed", label: "Seed that selects the share", value: "" })}
${textField({ name: "forMs", label: "Ends after, milliseconds of the sandbox's clock", value: "", attributes: html`inputmode="numeric"` })}
<button>Add</button>
</form>
<datalist id="paths">${[...new Set(Object.values(endpoints).map(({ path }) => path))].map((path) => html`<option value="${path}"></option>`)}</datalist>`;
  return { tab: "faults", title: "Faults", main };
};

function faultItem({ method, path, when, times, ...rest }: Fault) {
  return html`<li><b class="code">${method} ${path}</b> <span class="about">${effectText(rest)} · ${when} the request is performed${restrictionsText(rest)} · ${countText(times, "request", "requests")}</span></li>
`;
}

function restrictionsText({ repeat, share, until }: Partial<Fault>): string {
  let text = "";
  if (repeat) text += " · repeats only";
  if (share !== undefined) text += ` · a share of ${share}`;
  if (until !== undefined) text += ` · until ${until}`;
  return text;
}

function effectText({ status, code, reset, delayMs, patch, empty }: Partial<Fault>): string {
  if (status !== undefined) return code === undefined ? `error ${status}` : `error ${status} ${code}`;
  if (empty !== undefined) return empty === "object" ? "200 with {}" : "200 without a body";
  if (reset) return "connection closed";
  if (delayMs !== undefined) return `held for ${delayMs} ms`;
  return patch === undefined ? "answer cut in half" : `answer changed: ${JSON.stringify(patch)}`;
}

const addFault: ActionHandler = async ({ control, form }) => {
  const readField = (name: string) => form.get(name)?.trim() ?? "";
  const request: Record<string, unknown> = {
    method: readField("method"),
    path: readField("path"),
    ...parseNumbers(["times", "share", "forMs"], readField),
    ...parseEffect(readField("kind"), readField),
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

function parseEffect(kind: string, readField: (name: string) => string): Record<string, unknown> {
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
    throw new ApiError("bad_request", "The change of the answer must be a JSON object.");
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
