import type {
  AmountUnit,
  AutoRefundReason,
  Clock,
  CredentialConfig,
  Log,
  PaymentLedger,
  Random,
  StoreAdapter,
} from "@tillkit/core";
import { CheckoutError } from "@tillkit/core";
import { canList, type ScheduledTask } from "@tillkit/runtime";
import { isLoopback } from "./config/read-config.ts";
import { hostLimits } from "./limits.ts";
import { type OperatorOptions, operatorMistakes } from "./operator-options.ts";
import { isDirectory, type StoreDirectory } from "./store-directory.ts";

export type CheckoutServerOptions = OperatorOptions & {
  /** Where the routes of this server are reached from outside, with a path when they are mounted under one. */
  readonly publicUrl: string;
  /** Sign our links and references, newest first; 32 characters or more each. Keep an old one for as long as its links live. */
  readonly keys: readonly string[];
  readonly ledger: PaymentLedger;
  /** Each store's adapter under its `storeId`; a directory where stores come and go while the program runs. */
  readonly stores: Readonly<Record<string, StoreAdapter>> | StoreDirectory;
  /**
   * The service's keys: which stores each serves, and its webhook endpoint. `stored`: sealed in the ledger's secrets, added
   * and changed through `storedCredentials` while the program runs.
   */
  readonly credentials: readonly CredentialConfig[] | "stored";
  /** How the service counts USD and EUR; `minor` unless set. */
  readonly amountUnit?: AmountUnit;
  /** Money that arrived and cannot count goes back without asking the owner, in these cases; in none unless set. */
  readonly giveBack?: readonly AutoRefundReason[];
  /** Tasks of the host that the timer starts beside the jobs of payments. */
  readonly scheduledTasks?: readonly ScheduledTask[];
  /** Warnings and errors go to stderr as JSON lines unless set; `createJsonLog({ level: "info" })` tells everything. */
  readonly log?: Log;
  readonly clock?: Clock;
  /** Times calls to the service: their deadlines, pauses and retries. The real time, also beside a `clock` that is moved by hand. */
  readonly callClock?: Clock;
  readonly random?: Random;
};

export type CheckedOptions = {
  /** Without a slash at the end. */
  readonly publicUrl: string;
  readonly keys: readonly [string, ...string[]];
};

/** @throws CheckoutError `configuration_invalid`: every mistake, one sentence each. No key or secret is repeated in it. */
export function checkOptions(options: CheckoutServerOptions): CheckedOptions {
  const mistakes = [
    ...publicUrlMistakes(options.publicUrl),
    ...keyMistakes(options.keys),
    ...ledgerMistakes(options.ledger),
    ...storeMistakes(options),
    ...(options.ledger ? operatorMistakes(options) : []),
  ];
  const [newest, ...older] = options.keys ?? [];
  if (mistakes.length > 0 || newest === undefined) {
    throw new CheckoutError("configuration_invalid", mistakes.join("\n"));
  }
  return { publicUrl: new URL(options.publicUrl).href.replace(/\/+$/, ""), keys: [newest, ...older] };
}

function publicUrlMistakes(publicUrl: string | undefined): string[] {
  const mistakes = addressMistakes(publicUrl, "publicUrl", "https://pay.example.com");
  if (mistakes.length > 0 || publicUrl === undefined) return mistakes;
  const { search, hash, username, password } = new URL(publicUrl);
  const bare = [search, hash, username, password].every((part) => part === "");
  return bare ? [] : ["publicUrl must be an address and a path only, without ?, # or a user name."];
}

function addressMistakes(address: string | undefined, what: string, example: string): string[] {
  if (typeof address !== "string" || !URL.canParse(address)) {
    return [`${what} must be an absolute address, such as ${example}.`];
  }
  const { protocol, hostname } = new URL(address);
  if (protocol === "https:" || (protocol === "http:" && isLoopback(hostname))) return [];
  return [`${what} must begin with https://; plain http is for this machine only (localhost).`];
}

function keyMistakes(keys: unknown): string[] {
  if (!Array.isArray(keys) || keys.length === 0) {
    return [
      "keys is empty: give at least one secret of 32 characters or more, for example from `openssl rand -hex 32`.",
    ];
  }
  return keys.flatMap((key: unknown, index) =>
    typeof key === "string" && key.length >= hostLimits.keyLength
      ? []
      : [
          `keys[${index}] is too short: use ${hostLimits.keyLength} random characters or more, for example from \`openssl rand -hex 32\`.`,
        ],
  );
}

function ledgerMistakes(ledger: PaymentLedger | undefined): string[] {
  const works = typeof ledger?.commit === "function" && typeof ledger.claim === "function";
  return works ? [] : ["ledger is missing: open one with openLedger(url) of @tillkit/ledger."];
}

function storeMistakes({ stores, credentials, ledger }: CheckoutServerOptions): string[] {
  const known = isDirectory(stores) ? null : Object.keys(stores ?? {});
  if (known?.length === 0) return ["stores is empty: give each store's adapter under its store id."];
  if (credentials === "stored") {
    return ledger && canList(ledger)
      ? []
      : ['credentials "stored" needs a ledger that keeps secrets: open one with openLedger(url, { secretKeys }).'];
  }
  if (!Array.isArray(credentials) || credentials.length === 0) {
    return ["credentials is empty: give the service's secret key, and the stores it serves."];
  }
  const served = new Set(credentials.flatMap(({ storeIds: ids }) => ids ?? []));
  return [
    ...(known ?? [])
      .filter((storeId) => !served.has(storeId))
      .map((storeId) => `Store "${storeId}" has no credential: name it in the storeIds of one.`),
    ...credentials.flatMap((credential, index) => credentialMistakes(credential, index, known)),
  ];
}

// What is wrong with a key, an endpoint or a secret that is there, createTenants says.
function credentialMistakes(
  credential: Partial<CredentialConfig>,
  index: number,
  known: readonly string[] | null,
): string[] {
  const here = `credentials[${index}]`;
  const unknown = known === null ? [] : (credential.storeIds ?? []).filter((storeId) => !known.includes(storeId));
  return [
    ...(credential.apiKey ? [] : [`${here}.apiKey is missing: give the service's secret key (svc_sk_…).`]),
    ...(credential.endpointId ? [] : [`${here}.endpointId is missing: it is the last part of the webhook URL.`]),
    ...((credential.webhookSecrets ?? []).some((secret) => !secret)
      ? [`${here}.webhookSecrets has an empty one: give the secrets that the service showed.`]
      : []),
    ...addressMistakes(credential.baseUrl, `${here}.baseUrl`, "https://api.example.com"),
    ...unknown.map((storeId) => `${here} serves the store "${storeId}", which stores does not have.`),
  ];
}
