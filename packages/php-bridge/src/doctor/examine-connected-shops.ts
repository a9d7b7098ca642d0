import { CheckoutError, type Engine, type Ledger, safeReason, systemClock } from "@tillkit/core";
import { createTenants, type FoundCopy, listCopies } from "@tillkit/core/hosts";
import { openLedger } from "@tillkit/ledger";
import { createStoreRegistry, isServed, type RegisteredStore, type StoreState } from "@tillkit/server";
import type { BridgedConfig, StoreConfig } from "../config/schema.ts";
import { openShopCalls, readConnectedShop, type ShopCalls } from "../self-service/self-service-shops.ts";
import type { ServedPlatform } from "../served-platform.ts";
import { serverLimits } from "../server-limits.ts";
import type { CheckResult, Diagnosis } from "./diagnosis.ts";

export type ExamineOptions = {
  /** The id of one shop, which alone is examined. */
  readonly store?: string | undefined;
  /** Called after each shop of a server whose shops connect themselves. */
  readonly progress?: ((done: number, total: number) => void) | undefined;
};

/** The checks of a platform for one shop, with its secrets. */
export type ExamineShop = (
  store: StoreConfig,
  tools: { readonly engine: Pick<Engine, "tenants" | "clock">; readonly calls: ShopCalls },
) => AsyncIterable<CheckResult>;

/**
 * Examines the shops that their owners connected, several at once, and says of each in one line what is wrong and how to fix it; of a shop
 * that is named, every check. Only reads the ledger.
 * @throws CheckoutError `store_not_known` for a named shop that is not connected; DatabaseError
 */
export async function* examineConnectedShops(
  platform: ServedPlatform,
  config: BridgedConfig,
  examine: ExamineShop,
  { store: named, progress }: ExamineOptions,
): AsyncGenerator<Diagnosis> {
  const ledger = await openLedger(config.database, { secretKeys: config.keys, readOnly: true });
  try {
    const registry = createStoreRegistry(ledger.records, systemClock);
    const ids = (await registry.ids()).filter((id) => named === undefined || id === named);
    if (named !== undefined && ids.length === 0) throw unknownShop(named);
    const copies = await listCopies(ledger.records);
    const calls = openShopCalls(config);
    let done = 0;
    const examineById = async (id: string): Promise<readonly Diagnosis[]> => {
      const shop = await registry.find(id);
      // The shop has left since the list was read.
      if (shop === null || !isServed(shop)) return [];
      const checks = await examineShop({ platform, ledger, calls, copies, examine }, shop);
      return (named === undefined ? [summaryOf(shop, checks)] : checks).map((check) => ({ storeId: id, ...check }));
    };
    for await (const found of severalAtOnce(ids, examineById)) {
      yield* found;
      progress?.(++done, ids.length);
    }
  } finally {
    await ledger.close();
  }
}

export function unknownShop(storeId: string): CheckoutError {
  return new CheckoutError("store_not_known", `This server has no shop with the id ${storeId}.`);
}

type ShopTools = {
  readonly platform: ServedPlatform;
  readonly ledger: Ledger;
  readonly calls: ShopCalls;
  readonly copies: readonly FoundCopy[];
  readonly examine: ExamineShop;
};

/** What is found before an error is kept, so that one shop, such as one whose secrets cannot be decrypted, does not end the doctor. */
async function examineShop(tools: ShopTools, shop: RegisteredStore): Promise<readonly CheckResult[]> {
  const { platform, ledger, calls, copies, examine } = tools;
  const { storeId, state } = shop;
  const checks: CheckResult[] = [];
  const sentence = STATES[state];
  if (sentence !== undefined) checks.push({ check: "pairing", status: "warning", message: sentence });
  for (const { address } of copies.filter((copy) => copy.storeId === storeId))
    checks.push({ check: "copies", status: "warning", message: copyOf(address) });
  try {
    const found = await readConnectedShop(platform, ledger, shop, systemClock.now());
    if (found === null) return [...checks, { check: "pairing", status: "error", message: NO_SECRETS }];
    const tenants = createTenants({ credentials: [{ ...found.key, storeIds: [storeId] }] });
    for await (const check of examine(found.config, { engine: { tenants, clock: systemClock }, calls }))
      checks.push(check);
  } catch (error) {
    checks.push({ check: "shop", status: "error", message: `The shop cannot be examined. ${safeReason(error)}` });
  }
  return checks;
}

const STATES: Readonly<Partial<Record<StoreState, string>>> = {
  waiting: "The shop waits for approval: approve it under Technical, Shops.",
  suspended: "The shop is suspended: resume it under Technical, Shops.",
  leaving: "The shop is leaving: its payments are being finished.",
};

const NO_SECRETS =
  "The ledger holds no link secret or no key of the shop: its owner presses the button of the plugin again and enters the key.";

const copyOf = (address: string) =>
  `${address} looks like a copy of this shop and refunds nothing: its owner answers in the plugin there, or you with tillkit copies.`;

/** The worst of all results in one line. Of a shop that works, what tells it from others. */
function summaryOf({ address }: RegisteredStore, checks: readonly CheckResult[]): CheckResult {
  const worst = (["error", "warning"] as const).find((status) => checks.some((check) => check.status === status));
  const shown = worst
    ? checks.filter(({ status }) => status === worst)
    : checks.filter(({ check }) => check === "plugin" || check === "service");
  const text = shown.map(({ check, message }) => (worst ? `${check}: ${message}` : message)).join(" ");
  return { check: "shop", status: worst ?? "ok", message: `${address}: ${text}` };
}

/** Yields each result when it is there. `run` does not reject unless the ledger fails. */
async function* severalAtOnce<Result>(
  ids: readonly string[],
  run: (id: string) => Promise<Result>,
): AsyncGenerator<Result> {
  const waiting = [...ids];
  const running = new Map<string, Promise<{ readonly id: string; readonly result: Result }>>();
  for (;;) {
    for (const id of waiting.splice(0, serverLimits.examinedShops - running.size))
      running.set(
        id,
        run(id).then((result) => ({ id, result })),
      );
    if (running.size === 0) return;
    const { id, result } = await Promise.race(running.values());
    running.delete(id);
    yield result;
  }
}
