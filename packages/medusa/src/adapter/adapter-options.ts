import type { Clock, Environment, Language, Ledger, Log, StoreAdapter } from "@tillkit/core";
import type { MedusaContainer } from "../store/medusa-container.ts";

/** The one store that runs in this Medusa application. */
export type MedusaAdapterOptions = {
  readonly container: MedusaContainer;
  readonly storeId: string;
  readonly environment: Environment;
  /** For carts without a locale, and for notifications to the owner. */
  readonly language: Language;
  /** Where the engine's own pages send a shopper. */
  readonly storeUrl: string;
  /** Medusa's admin, such as `https://medusa.example.com/app`. Operators' pages link to a payment on its page there. */
  readonly adminUrl?: string;
  /** The shop's name and looks, for pages that are not the storefront's. */
  readonly name?: string;
  readonly branding?: NonNullable<StoreAdapter["branding"]>;
  /** `notify` shows a held payment in the admin's notifications; the admin page lists it in either case. */
  readonly onMismatch: "notify" | "note";
  readonly log: Log;
  /** The default is the clock of the machine. */
  readonly clock?: Clock;
  /** Notes failed refunds for the admin page, and finds the failed refund that a refund from the service's dashboard replaces. */
  readonly ledger?: Ledger;
};
