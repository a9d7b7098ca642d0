import { serverLimits } from "../../limits.ts";
import type { PageContext } from "./page-context.ts";

/** A count of rows as text. Rows are counted up to a limit, because counting a million of them is slow; then the text ends with `+`. */
export function countText(count: number, { language }: PageContext): string {
  const text = new Intl.NumberFormat(language).format(count);
  return count >= serverLimits.maxCountedRows ? `${text}+` : text;
}
