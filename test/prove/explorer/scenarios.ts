import { openLedger } from "@tillkit/ledger";
import { miniatureScenarios, type Scenario } from "@tillkit/testkit/explorer";
import { openShopify } from "./shopify-shop.ts";
import { openWooCommerce } from "./woocommerce-shop.ts";

/** The meetings in which the ledger decides, with their ledger in SQLite, so that its statements are explored too. */
const ON_SQLITE: ReadonlySet<string> = new Set([
  "webhook-and-return/read-then-write",
  "two-starts/read-then-write",
  "refund-twice-one-key/read-then-write",
]);

/** What the real adapters decide, on the fakes of their platforms. */
const ON_ADAPTERS: ReadonlySet<string> = new Set([
  "webhook-and-return/read-then-write",
  "success-and-edit/read-then-write",
  "success-and-owner-cancels/read-then-write",
  "success-and-owner-refunds/read-then-write",
  "accept-and-signal/read-then-write",
]);

const ADAPTERS = {
  "woocommerce-plugin": openWooCommerce("plugin"),
  "woocommerce-rest": openWooCommerce("rest"),
  "shopify-order": openShopify("order"),
  "shopify-offsite": openShopify("offsite"),
};

/** A checkout of Shopify cannot be edited, cancelled or paid otherwise under the same session. */
const OFFSITE: ReadonlySet<string> = new Set(["webhook-and-return", "success-and-owner-refunds", "accept-and-signal"]);

/** Every scenario of T11. */
export const scenarios: readonly Scenario[] = [
  ...miniatureScenarios,
  ...miniatureScenarios.filter(({ name }) => ON_SQLITE.has(name)).map(onSqlite),
  ...miniatureScenarios.filter(({ name }) => ON_ADAPTERS.has(name)).flatMap(onAdapters),
];

function onSqlite(scenario: Scenario): Scenario {
  return { ...scenario, name: `${scenario.name}/sqlite`, openLedger: () => openLedger("sqlite::memory:") };
}

function onAdapters({ name, ...scenario }: Scenario): readonly Scenario[] {
  const [meeting = ""] = name.split("/");
  return Object.entries(ADAPTERS)
    .filter(([adapter]) => adapter !== "shopify-offsite" || OFFSITE.has(meeting))
    .map(([adapter, store]) => ({ ...scenario, name: `${meeting}/${adapter}`, store }));
}
