import { randomBytes } from "node:crypto";
import { createServiceClient } from "@tillkit/client";
import { CURRENCY_DECIMALS, codeOf, type Environment, type Language } from "@tillkit/core";
import { serviceFromClient } from "@tillkit/core/hosts";
import type { RegisteredStore, StoreState } from "@tillkit/server";
import type { AppContext } from "../app-context.ts";
import { environmentOf } from "../config/credentials.ts";
import { admissionOf } from "../config/schema.ts";
import { type Exchange, exchangeCode } from "../pairing/exchange-code.ts";
import { saveLinkSecret } from "../pairing/pairings.ts";
import { serverLimits } from "../server-limits.ts";
import { hasServiceKey, identifyShop, type ShopClaim, type ShopIdentity } from "./identify-shop.ts";
import { wipeUnservedShop } from "./leave-shop.ts";
import { selfServiceOf } from "./self-service-shops.ts";
import { registerWebhooks, storeKey } from "./service-key.ts";

export type ConnectInput = ShopClaim & {
  readonly language: Language;
  readonly invitation: string;
  /** The key of the service; empty keeps the stored key of a shop that is connected already. */
  readonly apiKey: string;
  /** The owner's answer about a shop that is connected at another address: it has moved here. Else this one is a copy. */
  readonly hasMoved: boolean;
};

/** Why a shop was not connected. After `refused` to `currency` the code of the plugin is used up. */
export type ConnectProblem =
  | "invitation"
  | "keyMalformed"
  | "keyRefused"
  | "liveKeyNeeded"
  | "addressTaken"
  | "serviceFails"
  | "refused"
  | "unreachable"
  | "currency";

export type Connection =
  | { readonly status: "connected"; readonly store: RegisteredStore; readonly settingsUrl: string }
  | { readonly status: "problem"; readonly problem: ConnectProblem };

/**
 * Connects a shop, or changes the key or the address of a connected one. Everything that the owner can correct is checked first. Then the
 * shop at the address proves with the one-time code that its owner wants this, and only after that anything is stored here or changed at
 * the service.
 */
export async function connectShop(context: AppContext, input: ConnectInput): Promise<Connection> {
  const { platform, config, clock } = context;
  const identity = await identifyShop(context, input);
  const fault = await findFault(context, input, identity);
  if (fault !== null) return problem(fault);
  const before = storeBefore(identity, input);
  const storeId = before?.storeId ?? newStoreId(input.address);
  const { publicOnly, attempts } = selfServiceOf(context);
  const { address: shopUrl, code } = input;
  const mustRegister = await attempts.begin(storeId, shopUrl);
  const exchange = await exchangeCode({
    place: platform.place,
    shopUrl,
    code,
    storeId,
    publicUrl: config.publicUrl,
    publicOnly,
    hasOwnerPages: true,
    environment: environmentAfter(input, before),
  });
  if (exchange.status === "paired") {
    const store = registeredAs(context, input, { storeId, before, exchange, now: clock.now() });
    if (store !== null) return await storeConnection(context, input, { store, before, exchange, mustRegister });
  }
  if (before === null) await attempts.end(storeId);
  return problem(exchange.status === "paired" ? "currency" : exchange.status);
}

/** A shop that takes live payments keeps taking them when its owner changes the test key. */
function environmentAfter({ apiKey }: ConnectInput, before: RegisteredStore | null): Environment | undefined {
  if (apiKey === "") return undefined;
  const environment = environmentOf({ apiKey });
  return environment === "live" || before === null ? environment : undefined;
}

function problem(code: ConnectProblem): Connection {
  return { status: "problem", problem: code };
}

/** What the owner can correct before the code of the plugin is used. */
async function findFault(
  context: AppContext,
  input: ConnectInput,
  identity: ShopIdentity,
): Promise<ConnectProblem | null> {
  const { apiKey, invitation, address } = input;
  const mayKeepKey = identity.kind === "again" && apiKey === "";
  if (!mayKeepKey && !SECRET_KEY.test(apiKey)) return "keyMalformed";
  if (apiKey !== "" && context.config.requireLiveKeys && environmentOf({ apiKey }) === "test") return "liveKeyNeeded";
  const mustKnowKey = identity.kind === "taken" || (identity.kind === "elsewhere" && input.hasMoved);
  if (mustKnowKey && !(await hasServiceKey(context, identity.store.storeId, apiKey))) return "addressTaken";
  const keyFault = apiKey === "" ? null : await tryServiceKey(context, apiKey);
  if (keyFault !== null) return keyFault;
  const { invitations } = selfServiceOf(context);
  const isInvited = !needsInvitation(context, identity, input) || (await invitations.use(invitation, address));
  return isInvited ? null : "invitation";
}

const SECRET_KEY = /^svc_sk_(?:test|live)_\w{1,200}$/;

/** A shop that comes back while it is leaving is admitted like a new one. */
export function needsInvitation(
  { config }: Pick<AppContext, "config">,
  identity: ShopIdentity,
  { hasMoved }: Pick<ConnectInput, "hasMoved">,
): boolean {
  if (admissionOf(config) !== "invitation") return false;
  if (identity.kind === "new") return true;
  return identity.store.state === "leaving" || (identity.kind === "elsewhere" && !hasMoved);
}

/** One cheap read with the key. The service says of which environment it is, and the prefix must say the same. */
async function tryServiceKey({ config, clock, log }: AppContext, apiKey: string): Promise<ConnectProblem | null> {
  try {
    const service = serviceFromClient(createServiceClient({ apiKey, baseUrl: config.service.baseUrl }), clock);
    const reading = await service.tryKey?.(serverLimits.keyTrialMs);
    if (reading === undefined) return null;
    if (!reading.isAccepted) return "keyRefused";
    const { environment = environmentOf({ apiKey }) } = reading;
    return environment === environmentOf({ apiKey }) ? null : "keyRefused";
  } catch (error) {
    log.warn("key_not_tried", { code: codeOf(error) });
    return "serviceFails";
  }
}

/** The store that continues; null for a shop that becomes a new store. */
function storeBefore(identity: ShopIdentity, { hasMoved }: ConnectInput): RegisteredStore | null {
  if (identity.kind === "new" || (identity.kind === "elsewhere" && !hasMoved)) return null;
  return identity.store;
}

/** Readable in logs and lists: the host of the shop, and random digits that tell a shop from a later one at the same address. */
function newStoreId(address: string): string {
  const { hostname, pathname } = new URL(address);
  const name = `${hostname.replace(/^www\./, "")}${pathname}`.replace(/[^a-z0-9]+/gi, "-").replace(/^-|-$/g, "");
  return `${name.slice(0, 40).toLowerCase()}-${randomBytes(4).toString("hex")}`;
}

type Proven = {
  readonly storeId: string;
  readonly before: RegisteredStore | null;
  readonly exchange: Extract<Exchange, { status: "paired" }>;
  readonly now: number;
};

/** The row of the shop; null where its currency cannot be paid in. */
function registeredAs(context: AppContext, input: ConnectInput, proven: Proven): RegisteredStore | null {
  const { storeId, before, exchange, now } = proven;
  const { currency } = exchange.facts;
  if (currency === null || !Object.hasOwn(CURRENCY_DECIMALS, currency)) return null;
  const isAdmitted = before !== null && before.state !== "leaving";
  const admitted: StoreState = admissionOf(context.config) === "approval" ? "waiting" : "connected";
  const state = isAdmitted ? before.state : admitted;
  return {
    // A newer version that shares the ledger may have added fields.
    ...before,
    storeId,
    address: input.address,
    name: exchange.facts.name,
    currencies: [...new Set([currency, ...(before?.currencies ?? [])])],
    language: input.language,
    pluginVersion: exchange.facts.version,
    state,
    stateSince: state === before?.state ? before.stateSince : now,
    connectedAt: before?.connectedAt ?? now,
    linkedAt: now,
  };
}

/**
 * The link secret is stored first, because the shop has it already. The store itself comes last: until its row is there, nobody can pay and
 * the address is free, so a connection that ended half-way is simply made again.
 */
async function storeConnection(
  context: AppContext,
  { apiKey, address }: ConnectInput,
  { store, before, exchange, mustRegister }: Omit<Proven, "storeId" | "now"> & Stored,
): Promise<Connection> {
  const { platform, ledger, log, clock } = context;
  const { storeId } = store;
  const { registry, invitations } = selfServiceOf(context);
  try {
    await saveLinkSecret(platform, storeId, exchange.linkSecret, ledger.secrets, clock.now());
    if (mustRegister) await registerWebhooks(context, storeId);
    if (apiKey !== "") await storeKey(context, storeId, apiKey);
    // Before the change, as all acts: a process that ends in between leaves a line too much, and never one too few.
    const act = before === null ? "shop_connect" : before.address === store.address ? "shop_key" : "shop_move";
    await ledger.recordAct({ at: clock.now(), by: storeId, act, paymentId: null, detail: store.address });
    if ((await registry.put(store, before)) !== "done") {
      await wipeUnservedShop(context, storeId);
      return problem("refused");
    }
    await invitations.spend(address);
    if (before !== null && before.address !== address) await invitations.spend(before.address);
    await endAttempts(context, store);
  } catch (error) {
    log.error("connection_not_stored", { storeId, code: codeOf(error) });
    return problem("serviceFails");
  }
  await context.refreshStores({ now: true });
  log.info("connected", { storeId });
  return { status: "connected", store, settingsUrl: exchange.settingsUrl };
}

type Stored = {
  readonly store: RegisteredStore;
  /** Whether an earlier connection ended while it registered the webhook. */
  readonly mustRegister: boolean;
};

/** Ends this attempt, and those at the same address that became no shop because their process died. */
async function endAttempts(context: AppContext, { storeId, address }: RegisteredStore): Promise<void> {
  const { attempts } = selfServiceOf(context);
  for (const attempt of await attempts.list())
    if (attempt.address === address && attempt.storeId !== storeId) await wipeUnservedShop(context, attempt.storeId);
  await attempts.end(storeId);
}
