import type { Log } from "@tillkit/core";
import { createSignedTokens } from "@tillkit/runtime";
import { type CheckoutServer, createCheckoutServer } from "../checkout-server/checkout-server.ts";
import type { CheckoutServerOptions } from "../options/checkout-options.ts";
import type { LinkTokens } from "../shopper/link-tokens.ts";
import { guardFirstPayments } from "./guard-first-payments.ts";
import type { LedgerNode, Ports } from "./ledger-node.ts";
import type { MultiLedgerOptions, NamedLedger } from "./multi-ledger-options.ts";
import type { OrderLedgers } from "./order-ledgers.ts";

/** The checkout server of one of several ledgers. */
export type LedgerServer = {
  readonly node: LedgerNode;
  readonly checkout: CheckoutServer;
  readonly tokens: LinkTokens;
  /** The path of its routes below the common address; empty for the first ledger. */
  readonly path: string;
};

export type LedgerServerParts = {
  readonly options: MultiLedgerOptions & { readonly log: Log };
  readonly orderLedgers: OrderLedgers;
  readonly ports: Ports;
};

export function openLedgerServer({ options, orderLedgers, ports }: LedgerServerParts, node: LedgerNode): LedgerServer {
  const { ledgers, ...commonOptions } = options;
  const namedLedger = ledgers.find(({ name }) => name === node.name) as NamedLedger;
  const { name, keys, ledger: _, ...ownOptions } = namedLedger;
  // The host's tasks and warnings run once, with the first ledger.
  const { scheduledTasks: _tasks, warnings: _warnings, ...repeatableOptions } = commonOptions;
  const inherited = namedLedger === ledgers[0] ? commonOptions : repeatableOptions;
  const serverOptions = { ...inherited, ...ownOptions };
  const { operators } = serverOptions;
  const checkout = createCheckoutServer({
    ...serverOptions,
    ...(operators ? { operators: { ...operators, ledgers: operatorLedgers(options, name) } } : {}),
    publicUrl: ledgerUrl(options, name),
    ledger: guardFirstPayments(node, orderLedgers, ports),
    keys,
    log: namedLog(ownOptions.log ?? options.log, name),
  });
  const tokens: LinkTokens = createSignedTokens(keys as [string, ...string[]], ports.clock);
  return { node, checkout, tokens, path: pathOf(options, name) };
}

/** The public address of a ledger's server. */
function ledgerUrl(options: Pick<MultiLedgerOptions, "publicUrl" | "ledgers">, name: string): string {
  return `${String(options.publicUrl ?? "").replace(/\/+$/, "")}${pathOf(options, name)}`;
}

/** The path of the common address; empty for a text that is no address, which the first ledger's server reports. */
export function basePathOf({ publicUrl }: Pick<MultiLedgerOptions, "publicUrl">): string {
  return URL.canParse(publicUrl) ? new URL(publicUrl).pathname.replace(/\/+$/, "") : "";
}

function pathOf({ ledgers }: Pick<MultiLedgerOptions, "ledgers">, name: string): string {
  return ledgers[0].name === name ? "" : `/ledgers/${name}`;
}

function operatorLedgers(
  options: MultiLedgerOptions,
  shown: string,
): NonNullable<NonNullable<CheckoutServerOptions["operators"]>["ledgers"]> {
  return options.ledgers.map(({ name }) => ({
    name,
    url: name === shown ? null : `${basePathOf(options)}${pathOf(options, name)}/operators`,
  }));
}

function namedLog(log: Log, ledger: string): Log {
  return {
    info: (message, fields) => log.info(message, { ...fields, ledger }),
    warn: (message, fields) => log.warn(message, { ...fields, ledger }),
    error: (message, fields) => log.error(message, { ...fields, ledger }),
  };
}
