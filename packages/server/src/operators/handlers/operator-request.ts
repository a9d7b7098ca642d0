import type { Engine, Payment } from "@tillkit/core";
import { explainUnknownPayment } from "@tillkit/core/back-office";
import type { FindWarnings } from "../../attention/warnings.ts";
import type { SelfService } from "../../options/operator-options.ts";
import type { OperatorPage } from "../pages/layout.ts";
import { missingPage } from "../pages/missing-page.ts";
import type { PageContext } from "../pages/page-context.ts";
import type { PagesLedger } from "../pages-ledger.ts";

/** One request of a logged-in operator. */
export type OperatorRequest = {
  readonly engine: Engine;
  /** For the owner of a shop, what belongs to this shop only. */
  readonly ledger: PagesLedger;
  storeIds(): Promise<readonly string[]>;
  endpointIds(): Promise<readonly string[]>;
  readonly findWarnings: FindWarnings;
  readonly publicUrl: string;
  /** Stores that their owners connect; null where the configuration lists all stores, and for an owner. */
  readonly selfService: SelfService | null;
  readonly context: PageContext;
  /** The `:id` of the path; empty for paths without `:id`. */
  readonly id: string;
  /** All parts of the path that have a name. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The payments that were chosen in a list. */
  readonly chosen: readonly string[];
  readonly fields: Readonly<Record<string, string>>;
};

export type OperatorResponse =
  | { readonly kind: "page"; readonly status: number; readonly page: OperatorPage }
  | { readonly kind: "redirect"; readonly url: string; readonly cookie?: string }
  /** A download that is streamed line by line. */
  | { readonly kind: "file"; readonly name: string; readonly lines: AsyncIterable<string> };

export function pageResponse(page: OperatorPage, status = 200): OperatorResponse {
  return { kind: "page", status, page };
}

/** `path` begins with `/` and is relative to the operators' pages. */
export function redirectTo({ context }: Pick<OperatorRequest, "context">, path: string): OperatorResponse {
  return { kind: "redirect", url: `${context.base}${path}` };
}

export function paymentPath({ id }: Payment): string {
  return `/payments/${encodeURIComponent(id)}`;
}

export function paymentNotFound({ context }: Pick<OperatorRequest, "context">): OperatorResponse {
  return pageResponse(missingPage(explainUnknownPayment(context.language), context), 404);
}
