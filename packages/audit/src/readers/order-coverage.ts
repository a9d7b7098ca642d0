import type { OrderCoverage } from "../facts/facts.ts";
import { siteOf } from "./identifiers.ts";
import type { ReadJob } from "./reader.ts";

type Shop = { readonly shop: string; readonly url: string; readonly methods?: readonly string[] | undefined };

/** What the API of a shop shows of its orders since `from`. Few platforms keep a trace of a dispute. */
export function coverageOf(
  { shop, url, methods = [] }: Shop,
  { now }: ReadJob,
  from: number,
  disputes = false,
): OrderCoverage {
  return {
    shop,
    from,
    until: now,
    shows: { refunds: true, cancellations: true, methods: true, ids: true, disputes },
    site: siteOf(url),
    methods,
  };
}
