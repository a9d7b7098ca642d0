import type { Language } from "@tillkit/core";
import type { AlertWebhookOptions, EmailOptions } from "../alerts/channels.ts";

/**
 * A token of the operators' pages: 32 characters or more. Decisions are recorded under the token's name; when the token has no name,
 * the forms ask for the operator's name. A `viewer` sees everything and decides nothing; `operator` unless set.
 */
export type OperatorToken =
  | string
  | { readonly token: string; readonly name?: string | undefined; readonly role?: OperatorRole | undefined };

export type OperatorRole = "operator" | "viewer";

/** What the operators of this server get. Each feature is off unless named, except `retention`. */
export type OperatorOptions = {
  /** The pages at `/operators`, for everybody who has one of the tokens. */
  readonly operators?: { readonly tokens: readonly OperatorToken[] };
  /** `/metrics`, for requests with `Authorization: Bearer <token>`; 32 characters or more. */
  readonly metrics?: { readonly token: string };
  /** Messages about what needs attention. Each channel gets at most one message in `everyMs`; 15 minutes unless set. */
  readonly alerts?: {
    readonly language: Language;
    readonly email?: EmailOptions;
    readonly webhook?: AlertWebhookOptions;
    readonly everyMs?: number;
  };
  /** Personal data of final payments is removed from the ledger after this many days; 90 unless set, 7 at least. */
  readonly retention?: { readonly days: number } | "off";
};
