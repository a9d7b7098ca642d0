import type { Language } from "@tillkit/core";
import type { AlertWebhookOptions, EmailOptions } from "../alerts/channels.ts";

/** What the operators of this server get. Each feature is off unless named, except `retention`. */
export type OperatorOptions = {
  /** The pages at `/operators`, for everybody who has one of the tokens: 32 characters or more each. */
  readonly operators?: { readonly tokens: readonly string[] };
  /** `/metrics`, for requests with `Authorization: Bearer <token>`; 32 characters or more. */
  readonly metrics?: { readonly token: string };
  /** Messages about what needs attention. Each channel gets at most one in `everyMs` (15 minutes). */
  readonly alerts?: {
    readonly language: Language;
    readonly email?: EmailOptions;
    readonly webhook?: AlertWebhookOptions;
    readonly everyMs?: number;
  };
  /** Personal data of final payments is removed from the ledger after this many days; 90 unless set, 7 at least. */
  readonly retention?: { readonly days: number } | "off";
};
