import type { Engine, Ledger, Payment } from "@tillkit/core";
import type { CountLedger } from "../metrics/ledger-counts.ts";
import type { OperatorPage } from "./pages/layout.ts";
import type { Look } from "./pages/look.ts";

/** One request of an operator who was let in. */
export type OperatorVisit = {
  readonly engine: Engine;
  readonly ledger: Ledger;
  readonly count: CountLedger;
  storeIds(): Promise<readonly string[]>;
  readonly look: Look;
  /** What stands in the path after the route's own name. */
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
};

export type OperatorReply =
  | { readonly say: "page"; readonly status: number; readonly page: OperatorPage }
  | { readonly say: "go"; readonly to: string; readonly cookie?: string }
  /** Sent piece by piece, as fast as it is taken. */
  | { readonly say: "file"; readonly name: string; readonly lines: AsyncIterable<string> };

export function showOperatorPage(page: OperatorPage, status = 200): OperatorReply {
  return { say: "page", status, page };
}

/** `path` begins with `/` and is below the operators' pages. */
export function goTo({ look }: Pick<OperatorVisit, "look">, path: string): OperatorReply {
  return { say: "go", to: `${look.base}${path}` };
}

export function pathOf({ id }: Payment): string {
  return `/payments/${encodeURIComponent(id)}`;
}
