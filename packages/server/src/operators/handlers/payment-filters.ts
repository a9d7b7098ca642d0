import { CURRENCY_DECIMALS, PAYMENT_STATES, type PaymentFilter } from "@tillkit/core";
import { endOfDay, startOfDay } from "../../pages/zone-time.ts";
import { parseTypedAmount } from "./typed-amount.ts";

type Query = Readonly<Record<string, string>>;

/** Reads the filter from a URL's query. Unknown values are left out; `hasProblem` means that an amount cannot be read. */
export function readFilters(
  query: Query,
  zone: string,
): { readonly filter: PaymentFilter; readonly hasProblem: boolean } {
  const { state, store, mode, method, from, until, currency = "" } = query;
  const [least, most] = [readAmount(query.least, currency), readAmount(query.most, currency)];
  const [begin, end] = [startOfDay(from, zone), endOfDay(until, zone)];
  const hasAmount = typeof least === "number" || typeof most === "number";
  const states = PAYMENT_STATES.filter((one) => one === state);
  return {
    filter: {
      ...(states.length === 0 ? {} : { states }),
      ...(store ? { storeId: store } : {}),
      ...(mode === "test" || mode === "live" ? { environment: mode } : {}),
      ...(method && /^[A-Z_]{1,20}$/.test(method) ? { method } : {}),
      ...(begin === null ? {} : { from: begin }),
      ...(end === null ? {} : { until: end }),
      ...(typeof least === "number" ? { minAmount: least } : {}),
      ...(typeof most === "number" ? { maxAmount: most } : {}),
      ...(hasAmount ? { currency } : {}),
    },
    hasProblem: least === "unreadable" || most === "unreadable",
  };
}

function readAmount(text: string | undefined, currency: string): number | null | "unreadable" {
  if (text === undefined || text.trim() === "") return null;
  if (!Object.hasOwn(CURRENCY_DECIMALS, currency)) return "unreadable";
  try {
    return parseTypedAmount(text, currency).minor;
  } catch {
    return "unreadable";
  }
}
