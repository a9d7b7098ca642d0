import { endpoints } from "@tillkit/client/endpoints";
import { ApiError, statusByCode } from "../../../domain/api-error.ts";
import type { Fault, FaultRequest } from "../../../faults/fault-request.ts";
import { html } from "../../../pages/html.ts";
import { button, checkbox, field, select } from "../../components/forms.ts";
import { countText } from "../../components/list-items.ts";
import { pager, parsePage, rowsPerPage } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ActionHandler, ConsoleSection, PageHandler } from "../../components/section.ts";

const kinds = {
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

const show: PageHandler = ({ control, query }) => {
  const queued = control.listFaults();
  const { offset, limit } = parsePage(query);
  const pageAndNextFault = queued.slice(offset, offset + limit);
  const action = pageUrl("faults");
  const main = html`<h1>Faults</h1>
<p class="small">A fault applies to the next matching request, the oldest fault first, and is then used up.</p>
${queued.length === 0 ? html`<p class="none">No fault is queued.</p>` : html`<ul class="rows plain">${pageAndNextFault.slice(0, rowsPerPage).map(faultItem)}</ul>`}
${pager(query, pageAndNextFault.length > rowsPerPage)}
${queued.length > 0 && button(`${action}/clear`, "Remove all", "quiet")}
<h2>Add a fault</h2>
<form method="post" action="${action}/add" class="sheet">
${select("method", "Method", methods)}
${field("path", "Path, as /checkout-sessions/{id}", "/checkout-sessions", html`list="paths" required maxlength="200"`)}
${select("kind", "What happens", kinds)}
${select("status", "Error status", Object.fromEntries(statuses.map((status) => [status, status])), "503")}
${select("code", "Code of the error", { "": "As usual for the status", ...codes })}
${field("delayMs", "Hold for, milliseconds", "5000", html`inputmode="numeric"`)}
${field("patch", "Change of the answer, JSON", '{"amount":1}', html`maxlength="2000"`)}
${select("when", "When", timings)}
${field("times", "How many requests", "", html`inputmode="numeric" placeholder="1; without a limit when a share or an end is set"`)}
${checkbox({ name: "repeat", value: "yes", label: "Only a request whose Idempotency-Key was answered before", isTicked: false })}
${field("share", "Only a share of the requests, 0 to 1", "", html`inputmode="decimal"`)}
${field("seed", "Seed that selects the share", "")}
${field("forMs", "Ends after, milliseconds of the sandbox's clock", "", html`inputmode="numeric"`)}
<button>Add</button>
</form>
<datalist id="paths">${[...new Set(Object.values(endpoints).map(({ path }) => path))].map((path) => html`<option value="${path}"></option>`)}</datalist>`;
  return { tab: "faults", title: "Faults", main };
};

function faultItem({ method, path, when, times, ...rest }: Fault) {
  return html`<li><b class="code">${method} ${path}</b> <span class="about">${effect(rest)} · ${when} the request is performed${restrictions(rest)} · ${countText(times, "request", "requests")}</span></li>
`;
}

function restrictions({ repeat, share, until }: Partial<Fault>): string {
  const parts = [
    repeat && "repeats only",
    share !== undefined && `a share of ${share}`,
    until !== undefined && `until ${until}`,
  ];
  return parts.map((part) => (part ? ` · ${part}` : "")).join("");
}

function effect({ status, code, reset, delayMs, patch, empty }: Partial<Fault>): string {
  if (status !== undefined) return `error ${[status, code ?? []].flat().join(" ")}`;
  if (empty !== undefined) return empty === "object" ? "200 with {}" : "200 without a body";
  if (reset) return "connection closed";
  if (delayMs !== undefined) return `held for ${delayMs} ms`;
  return patch === undefined ? "answer cut in half" : `answer changed: ${JSON.stringify(patch)}`;
}

const add: ActionHandler = async ({ control, form }) => {
  const readField = (name: string) => form.get(name)?.trim() ?? "";
  const when = readField("when");
  await control.addFault({
    method: readField("method"),
    path: readField("path"),
    ...(when === "" ? {} : { when }),
    ...(readField("repeat") === "" ? {} : { repeat: true }),
    ...(readField("seed") === "" ? {} : { seed: readField("seed") }),
    ...parseNumbers(["times", "share", "forMs"], readField),
    ...parseEffect(readField("kind"), readField),
  } as FaultRequest);
  return { to: pageUrl("faults"), flashMessage: "fault-added" };
};

function parseNumbers(names: readonly string[], readField: (name: string) => string): Record<string, number> {
  const filled = names.filter((name) => readField(name) !== "");
  return Object.fromEntries(filled.map((name) => [name, Number(readField(name))]));
}

function parseEffect(kind: string, readField: (name: string) => string): Record<string, unknown> {
  if (kind === "status") {
    return { status: Number(readField(kind)), ...(readField("code") === "" ? {} : { code: readField("code") }) };
  }
  if (kind === "delayMs") return { delayMs: Number(readField(kind)) };
  if (kind === "emptyObject" || kind === "emptyBody") return { empty: kind === "emptyObject" ? "object" : "body" };
  if (kind !== "patch") return { [kind]: true };
  try {
    return { patch: JSON.parse(readField("patch")) };
  } catch {
    throw new ApiError("bad_request", "The change of the answer must be a JSON object.");
  }
}

const clear: ActionHandler = async ({ control }) => {
  await control.clearFaults();
  return { to: pageUrl("faults"), flashMessage: "faults-removed" };
};

export const faultSection: ConsoleSection = {
  pages: { faults: show },
  actions: { "faults/add": add, "faults/clear": clear },
};
