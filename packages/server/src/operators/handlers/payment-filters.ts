import { CURRENCY_DECIMALS, parseTypedAmount } from "@tillkit/core";
import { PAYMENT_STATES, type PaymentFilter } from "@tillkit/core/ledger";
import { endOfDay, startOfDay } from "../../pages/zone-time.ts";
import type { PageContext } from "../pages/page-context.ts";

type Query = Readonly<Record<string, string>>;

/** Reads the filter from a URL's query. Unknown values are left out; `hasProblem` means that an amount cannot be read. */
export function readFilters(
  query: Query,
  { zone, mode }: Pick<PageContext, "zone" | "mode">,
): { readonly filter: PaymentFilter; readonly hasProblem: boolean } {
  const { state, store, method, from, until, currency = "" } = query;
  const [least, most] = [readAmount(query.least, currency), readAmount(query.most, currency)];
  const [begin, end] = [startOfDay(from, zone), endOfDay(until, zone)];
  const states = PAYMENT_STATES.filter((known) => known === state);
  const filter: WritableFilter = { environment: mode };
  if (states.length > 0) filter.states = states;
  if (store) filter.storeId = store;
  if (method && /^[A-Z_]{1,20}$/.test(method)) filter.method = method;
  if (begin !== null) filter.from = begin;
  if (end !== null) filter.until = end;
  if (typeof least === "number") filter.minAmount = least;
  if (typeof most === "number") filter.maxAmount = most;
  if (typeof least === "number" || typeof most === "number") filter.currency = currency;
  return { filter, hasProblem: least === "unreadable" || most === "unreadable" };
}

type WritableFilter = { -readonly [Name in keyof PaymentFilter]: PaymentFilter[Name] };

function readAmount(text: string | undefined, currency: string): number | null | "unreadable" {
  if (text === undefined || text.trim() === "") return null;
  if (!Object.hasOwn(CURRENCY_DECIMALS, currency)) return "unreadable";
  try {
    return parseTypedAmount(text, currency).minor;
  } catch {
    return "unreadable";
  }
}
