import type { RequestListener } from "node:http";
import { type CheckoutStart, codeOf, type Order, type OrderRef, systemClock, systemRandom } from "@tillkit/core";
import { createJsonLog } from "@tillkit/runtime";
import type { Router } from "express";
import type { CheckoutServer } from "../checkout-server/checkout-server.ts";
import { createFetchApp } from "../http/fetch-app.ts";
import { createFetchHandler } from "../http/fetch-handler.ts";
import type { CredentialRecovery } from "../stores/recover-stores.ts";
import { createLedgerListener } from "./ledger-listener.ts";
import { createLedgerNode, type LedgerNode } from "./ledger-node.ts";
import { createLedgerRouter } from "./ledger-router.ts";
import { basePathOf, type LedgerServer, openLedgerServer } from "./ledger-server.ts";
import { listStoreLedgers, moveStore, restoreDepartures, type StoreLedger } from "./move-store.ts";
import type { MultiLedgerOptions, NamedLedger } from "./multi-ledger-options.ts";
import { createOrderLedgers } from "./order-ledgers.ts";
import { validateLedgers } from "./validate-ledgers.ts";

/** Checkout servers at one address, each with a ledger. The first has the paths of the address itself, others begin with `/ledgers/{name}`. */
export type MultiLedgerServer = Pick<
  CheckoutServer,
  "router" | "listener" | "fetch" | "payLink" | "startCheckout" | "startTimer" | "close"
> & {
  /** Puts back moves that a restored ledger has lost, and recovers each ledger as `recover` of a checkout server does. */
  recover(from: number): AsyncGenerator<CredentialRecovery>;
  /** The server of a ledger. @throws CheckoutError `configuration_invalid` when there is no such ledger */
  server(name: string): CheckoutServer;
  /** The server of the ledger that has this order's payments, or that would take its first payment. @throws CheckoutError, DatabaseError */
  serverOfOrder(ref: OrderRef): Promise<CheckoutServer>;
  /** The server of the ledger that has this payment; null when no ledger has it. */
  serverOfPayment(paymentId: string): Promise<CheckoutServer | null>;
  /**
   * From now on, orders of this store begin in the ledger `to`. An order that has a payment stays in its ledger, with everything
   * that follows from it. Safe to repeat, and while any number of processes serve the store. A store never returns to a ledger.
   *
   * @throws CheckoutError `configuration_invalid`, `store_not_known`; DatabaseError
   */
  moveStore(storeId: string, to: string): Promise<void>;
  /** The ledgers of a store in the order of its moves, with the payments that each of them has still to finish. */
  storeLedgers(storeId: string): Promise<readonly StoreLedger[]>;
};

/**
 * Serves stores at one address whose payments are in several databases. No transaction, fence or unique index spans two databases, so
 * all payments of an order are in the ledger that took its first payment.
 *
 * @throws CheckoutError `configuration_invalid`; its message has one sentence for each mistake
 */
export function createMultiLedgerServer(options: MultiLedgerOptions): MultiLedgerServer {
  const { clock = systemClock, random = systemRandom, log = createJsonLog(), ledgers } = options;
  validateLedgers(options);
  const [firstLedger, ...others] = ledgers;
  const toNode = (ledger: NamedLedger) => createLedgerNode(ledger, firstLedger.name);
  const nodes: readonly [LedgerNode, ...LedgerNode[]] = [toNode(firstLedger), ...others.map(toNode)];
  const orderLedgers = createOrderLedgers(nodes);
  const parts = { options: { ...options, log }, orderLedgers, ports: { clock, random } };
  const servers = nodes.map((node) => openLedgerServer(parts, node));
  const first = serverOf(nodes[0]);
  const basePath = basePathOf(options);
  const listenerParts = { servers, basePath, role: options.role, clock, log };
  const ledgerListener = createLedgerListener(listenerParts);
  const router: Router = createLedgerRouter({ servers, ledgerListener, serverOfOrder: findServer });
  const moveParts = { nodes, orderLedgers, engineOf: (node: LedgerNode) => serverOf(node).checkout.engine, clock };

  function serverOf(node: LedgerNode): LedgerServer {
    return servers[nodes.indexOf(node)] as LedgerServer;
  }
  async function findServer(ref: OrderRef): Promise<LedgerServer> {
    return serverOf(await orderLedgers.find(ref));
  }

  // A store that moves while a checkout starts makes its ledger refuse the first payment; the other ledger takes it.
  async function startOrder(order: Order): Promise<CheckoutStart> {
    const { checkout } = await findServer(order.ref);
    try {
      return await checkout.startCheckout(order);
    } catch (error) {
      const isMoved = codeOf(error) === "ledger_busy" && (await findServer(order.ref)).checkout !== checkout;
      if (!isMoved) throw error;
      return await startOrder(order);
    }
  }

  return {
    router,
    listener: (next: RequestListener) => ledgerListener(next),
    fetch: createFetchHandler(createFetchApp(basePath, router, log)),
    payLink: first.checkout.payLink,
    startCheckout: startOrder,
    async *recover(from) {
      await restoreDepartures(moveParts);
      for (const { checkout } of servers) yield* checkout.recover(from);
    },
    server: (name) => serverOf(orderLedgers.named(name)).checkout,
    serverOfOrder: async (ref) => (await findServer(ref)).checkout,
    async serverOfPayment(paymentId) {
      for (const { checkout, node } of servers) if (await node.ledger.find({ id: paymentId })) return checkout;
      return null;
    },
    moveStore: (storeId, to) => moveStore(moveParts, storeId, to),
    storeLedgers: (storeId) => listStoreLedgers(moveParts, storeId),
    startTimer() {
      for (const { checkout } of servers) checkout.startTimer();
    },
    async close() {
      await Promise.all(servers.map(({ checkout }) => checkout.close()));
    },
  };
}
