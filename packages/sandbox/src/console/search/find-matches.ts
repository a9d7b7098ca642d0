import { type RawBuilder, sql } from "kysely";
import {
  customerListItem,
  refundListItem,
  requestListItem,
  sessionListItem,
  transactionListItem,
} from "../components/list-items.ts";
import type { ListItem } from "../components/lists.ts";
import type { ConsolePageRequest } from "../components/section.ts";

type Matches = { title: string; items: readonly ListItem[] };

const matchesPerKind = 10;

/** Finds resources by text: sessions by title and metadata, ids by their beginning. The newest of each kind come first. */
export async function findMatches(context: ConsolePageRequest, text: string): Promise<readonly Matches[]> {
  const { tabs } = context.texts;
  return [
    { title: tabs.sessions, items: await findSessions(context, text) },
    { title: tabs.transactions, items: await findTransactions(context, text) },
    { title: tabs.refunds, items: await findRefunds(context, text) },
    { title: tabs.customers, items: await findCustomers(context, text) },
    { title: tabs.requests, items: findRequests(context, text) },
  ];
}

async function findSessions(context: ConsolePageRequest, text: string): Promise<readonly ListItem[]> {
  const found = await context.service.store.database
    .selectFrom("sessions")
    .selectAll()
    .where(
      sql<boolean>`(${startsWith("session_id", text)} or ${startsWith("code", text)}
        or ${contains("json_extract(details_json, '$.title')", text)}
        or ${contains("json_extract(details_json, '$.metadata')", text)})`,
    )
    .orderBy("seq", "desc")
    .limit(matchesPerKind)
    .execute();
  return found.map((session) => sessionListItem(context, session));
}

async function findTransactions(context: ConsolePageRequest, text: string): Promise<readonly ListItem[]> {
  const found = await context.service.store.database
    .selectFrom("transactions")
    .selectAll()
    .where(
      sql<boolean>`(${startsWith("transaction_id", text)} or ${startsWith("public_id", text)}
        or ${contains("description", text)} or ${contains("metadata_json", text)})`,
    )
    .orderBy("seq", "desc")
    .limit(matchesPerKind)
    .execute();
  return found.map((transaction) => transactionListItem(context, transaction));
}

async function findRefunds(context: ConsolePageRequest, text: string): Promise<readonly ListItem[]> {
  const found = await context.service.store.database
    .selectFrom("refunds")
    .selectAll()
    .where(sql<boolean>`(${startsWith("refund_id", text)} or ${contains("reason", text)})`)
    .orderBy("seq", "desc")
    .limit(matchesPerKind)
    .execute();
  return found.map((refund) => refundListItem(context, refund));
}

async function findCustomers(context: ConsolePageRequest, text: string): Promise<readonly ListItem[]> {
  const found = await context.service.store.database
    .selectFrom("customers")
    .selectAll()
    .where(
      sql<boolean>`(${startsWith("customer_id", text)} or ${startsWith("public_id", text)}
        or ${contains("name", text)})`,
    )
    .orderBy("seq", "desc")
    .limit(matchesPerKind)
    .execute();
  return found.map((customer) => customerListItem(context, customer));
}

/** Requests are in memory. An Idempotency-Key names the order in most integrations. */
function findRequests(context: ConsolePageRequest, text: string): readonly ListItem[] {
  const lowerCaseText = text.toLowerCase();
  return context.control
    .listRequests()
    .filter(
      ({ request_id, idempotency_key }) =>
        request_id.startsWith(lowerCaseText) || idempotency_key?.toLowerCase().includes(lowerCaseText),
    )
    .slice(0, matchesPerKind)
    .map((request) => requestListItem(context, request));
}

function startsWith(column: string, text: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} like ${`${escapeLike(text)}%`} escape '\\'`;
}

/** `expression` is SQL of our own; only `text` comes from the page. */
export function contains(expression: string, text: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.raw(expression)} like ${`%${escapeLike(text)}%`} escape '\\'`;
}

/** Escapes `%` and `_`, which are wildcards in a `like` pattern. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}
