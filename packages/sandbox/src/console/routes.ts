import { notFound } from "../domain/api-error.ts";
import { normaliseId } from "../domain/identifiers.ts";
import type { ActionHandler, ConsoleSection, PageHandler } from "./components/section.ts";
import { deliverySection } from "./pages/activity/deliveries.ts";
import { endpointSection } from "./pages/activity/endpoints.ts";
import { eventSection } from "./pages/activity/events.ts";
import { requestSection } from "./pages/activity/requests.ts";
import { clockSection } from "./pages/controls/clock.ts";
import { faultSection } from "./pages/controls/faults.ts";
import { settingsSection } from "./pages/controls/settings.ts";
import { networkSection } from "./pages/network/network.ts";
import { overviewSection } from "./pages/overview.ts";
import { customerSection } from "./pages/payments/customers.ts";
import { disputeSection } from "./pages/payments/disputes.ts";
import { refundSection } from "./pages/payments/refunds.ts";
import { sessionSection } from "./pages/payments/sessions.ts";
import { transactionSection } from "./pages/payments/transactions.ts";
import { searchSection } from "./pages/search.ts";

const sections: readonly ConsoleSection[] = [
  overviewSection,
  sessionSection,
  transactionSection,
  refundSection,
  customerSection,
  disputeSection,
  eventSection,
  deliverySection,
  endpointSection,
  requestSection,
  networkSection,
  clockSection,
  faultSection,
  settingsSection,
  searchSection,
];
/** Every page by its path below the console. */
export const pages: Record<string, PageHandler> = Object.assign({}, ...sections.map((section) => section.pages));
/** Every button and form by its path below the console. */
export const actions: Record<string, ActionHandler> = Object.assign(
  {},
  ...sections.map((section) => section.actions ?? {}),
);

/** Finds the handler of a path. `{id}` is the only parameter and always the second segment. */
export function handlerFor<Handler>(table: Record<string, Handler>, path: string): { handler: Handler; id: string } {
  const [first = "", id = "", ...rest] = path.split("/").slice(1);
  const exact = Object.entries(table).find(([name]) => `/${name}` === (path === "" ? "/" : path));
  if (exact !== undefined) return { handler: exact[1], id: "" };
  const pattern = [first, "{id}", ...rest].join("/");
  const handler = Object.hasOwn(table, pattern) ? table[pattern] : undefined;
  if (handler === undefined) throw notFound("Page");
  return { handler, id: normaliseId(decodeSegment(id)) };
}

/** The page that contains a button: the page at the path of the action, or the nearest page above it. */
export function pageContaining(path: string): string {
  if (Object.hasOwn(pages, path.slice(1))) return path;
  const above = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const [first = "", ...ids] = above.split("/").slice(1);
  const name = ids.length === 0 ? first : `${first}/{id}`;
  return above === "" || Object.hasOwn(pages, name) ? above : pageContaining(above);
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
