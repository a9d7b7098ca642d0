import type { Ledger, Payment } from "@tillkit/core";
import type { LedgerView, OperatorActs, Page, PageRequest } from "@tillkit/core/ledger";
import { serverLimits } from "../limits.ts";

/** What the pages read, and what they write by themselves. Decisions about payments go through the back office. */
export type PagesLedger = LedgerView &
  OperatorActs &
  Pick<Ledger, "find" | "paymentsOfOrder" | "timeline" | "delivery" | "records" | "commit">;

/**
 * The ledger as the owner of one shop sees it: rows of other stores do not exist. Every member is written out, so that a new one is
 * visible to owners only after somebody has decided how.
 */
export function ledgerOfStore(ledger: PagesLedger, storeId: string): PagesLedger {
  const isOwn = ({ ref }: Payment) => ref.storeId === storeId;
  const isOwnId = async (paymentId: string | null | undefined) => {
    const payment = paymentId == null ? null : await ledger.find({ id: paymentId });
    return payment !== null && isOwn(payment);
  };
  const ownRows = async <Row extends { readonly paymentId: string | null }>(rows: readonly Row[]) => {
    const owned = await Promise.all(rows.map(async (row) => ((await isOwnId(row.paymentId)) ? [row] : [])));
    return owned.flat();
  };

  return {
    async find(key) {
      const payment = await ledger.find(key);
      return payment !== null && isOwn(payment) ? payment : null;
    },
    paymentsOfOrder: async (ref) => (ref.storeId === storeId ? await ledger.paymentsOfOrder(ref) : []),
    timeline: async (by) => {
      const isVisible = "ref" in by ? by.ref.storeId === storeId : await isOwnId(by.paymentId);
      return isVisible ? await ledger.timeline(by) : [];
    },
    transactionDetails: async (id) => ((await isOwnId(id)) ? await ledger.transactionDetails(id) : null),
    paymentsWithMovements: async (ids) =>
      (await ledger.paymentsWithMovements(ids)).filter(({ payment }) => isOwn(payment)),
    async paymentsOfSeveralTransactions(query) {
      const ids = await ledger.paymentsOfSeveralTransactions(query);
      return (await ownRows(ids.map((paymentId) => ({ paymentId })))).map(({ paymentId }) => paymentId);
    },
    listPayments: (query) => ledger.listPayments({ ...query, storeId }),
    countPayments: (query) => ledger.countPayments({ ...query, storeId }),
    listRefunds: (query) => ledger.listRefunds({ ...query, storeId }),
    paymentStatistics: (query) => ledger.paymentStatistics({ ...query, storeId }),
    listDisputes: (query) => ownPage(query, (page) => ledger.listDisputes({ ...query, ...page }), ownRows),
    countDisputes: async () => {
      throw notForOwners("countDisputes");
    },
    listJobs: (query) => ledger.listJobs({ ...query, storeId }),
    // The host's own work is nothing that an owner can do something about.
    countJobs: async () => ({ due: 0, waiting: 0, dead: 0 }),
    listDeliveries: async (query) => ((await isOwnId(query.paymentId)) ? await ledger.listDeliveries(query) : NOTHING),
    delivery: async () => null,
    countDeliveries: async () => {
      throw notForOwners("countDeliveries");
    },
    recordAct: (act) => ledger.recordAct(act),
    listActs: async (query) => ((await isOwnId(query.paymentId)) ? await ledger.listActs(query) : NOTHING),
    get records(): never {
      throw notForOwners("records");
    },
    commit: async () => {
      throw notForOwners("commit");
    },
  };
}

const NOTHING = { rows: [], next: null };

/** Reads pages of all stores until one page of this store is full, or a number of pages was read. */
async function ownPage<Row>(
  { limit, after }: PageRequest,
  list: (page: PageRequest) => Promise<Page<Row>>,
  ownRows: (rows: readonly Row[]) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  const rows: Row[] = [];
  let next = after ?? null;
  for (let read = 0; read < serverLimits.pagesPerOwnList; read += 1) {
    const page = await list({ limit: limit - rows.length, ...(next === null ? {} : { after: next }) });
    rows.push(...(await ownRows(page.rows)));
    next = page.next;
    if (next === null || rows.length === limit) break;
  }
  return { rows, next };
}

function notForOwners(member: string): Error {
  return new Error(`The pages of a shop's owner have no ${member}.`);
}
