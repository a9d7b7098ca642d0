import type { Language } from "@tillkit/core";
import type { AlertWebhookOptions, EmailOptions } from "../alerts/channels.ts";
import type { StoreState } from "../store-state.ts";
import type { Invitations } from "../stores/invitations.ts";
import type { StoreRegistry } from "../stores/store-registry.ts";

/**
 * A token of the operators' pages: 32 characters or more. Decisions are recorded under the token's name; when the token has no name,
 * the forms ask for the operator's name. A `viewer` sees everything and decides nothing; `operator` unless set.
 */
export type OperatorToken =
  | string
  | { readonly token: string; readonly name?: string | undefined; readonly role?: OperatorRole | undefined };

/**
 * Stores that their owners connect while the server runs. The host proves each owner and each address, and `registry` holds the result.
 * Their owners see these pages too, each with their own store only.
 */
export type SelfService = {
  readonly registry: StoreRegistry;
  readonly invitations: Invitations;
  /** Ends a store: no new payments, and its keys are wiped once its payments are finished. Returns its state then. */
  disconnect(storeId: string): Promise<StoreState>;
};

export type OperatorRole = "operator" | "viewer";

/** What the operators of this server get. Each feature is off unless named, except `retention`. */
export type OperatorOptions = {
  /** The pages at `/operators`, for everybody who has one of the tokens. */
  readonly operators?: { readonly tokens: readonly OperatorToken[] };
  readonly selfService?: SelfService;
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
