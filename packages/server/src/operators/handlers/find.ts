import { type Engine, limits, type Money, type Payment, parseTypedAmount } from "@tillkit/core";
import type { PaymentKey } from "@tillkit/core/ledger";
import { serverLimits } from "../../limits.ts";
import { idPrefixOf } from "../../pages/receipt-number.ts";
import { foundPage } from "../pages/list-pages.ts";
import type { PagesLedger } from "../pages-ledger.ts";
import {
  type OperatorRequest,
  type OperatorResponse,
  pageResponse,
  paymentPath,
  redirectTo,
} from "./operator-request.ts";

/**
 * Searches by whatever a customer, the shop or the service calls a payment: the number or id of its order, its own id or reference,
 * its receipt number, its session or transaction by long or short id, with or without `cs_` and `txn_`, the address of the hosted page, or the service's
 * id of the customer. A single result of the page's mode opens directly. A caller may know only the amount: what no payment is called is looked up as
 * an amount, and such a result never opens directly.
 */
export async function findPayment(request: OperatorRequest): Promise<OperatorResponse> {
  const { engine, ledger, context, query } = request;
  const searched = (query.q ?? "").trim().slice(0, MAX_LENGTH);
  if (searched === "")
    return pageResponse(foundPage({ rows: [], ofAmount: [], searched, isInOtherMode: false }, context));
  const found = await findIn(engine, ledger, searched);
  const rows = found.filter(({ environment }) => environment === context.mode);
  const [first, ...others] = rows;
  if (first && others.length === 0) return redirectTo(request, paymentPath(first));
  const isInOtherMode = rows.length === 0 && found.length > 0;
  const ofAmount = found.length > 0 ? [] : await findByAmount(request, searched);
  const isFound = rows.length + ofAmount.length > 0;
  return pageResponse(foundPage({ rows, ofAmount, searched, isInOtherMode }, context), isFound ? 200 : 404);
}

/** The newest payments of the page's mode with this amount, in each currency of the newest payments in which the text is an amount. */
async function findByAmount({ ledger, context }: OperatorRequest, searched: string): Promise<readonly Payment[]> {
  const ofMode = { environment: context.mode };
  const newest = await ledger.listPayments({ ...ofMode, limit: serverLimits.maxSearchedPayments });
  const currencies = new Set(newest.rows.map(({ amountDue }) => amountDue.currency));
  const pages = await Promise.all(
    typedAmounts(searched, currencies).map(({ minor, currency }) => {
      const ofAmount = { ...ofMode, minAmount: minor, maxAmount: minor, currency };
      return ledger.listPayments({ ...ofAmount, limit: serverLimits.rowsPerPage });
    }),
  );
  return pages.flatMap(({ rows }) => rows).toSorted((left, right) => right.createdAt - left.createdAt);
}

function typedAmounts(searched: string, currencies: ReadonlySet<string>): readonly Money[] {
  return [...currencies].flatMap((currency) => {
    try {
      return [parseTypedAmount(searched, currency)];
    } catch {
      return [];
    }
  });
}

async function findIn(engine: Engine, ledger: PagesLedger, searched: string): Promise<readonly Payment[]> {
  const payment = await findById(ledger, searched);
  if (payment) return [payment];
  const rows = await findByOrderOrCustomer(ledger, searched);
  if (rows.length > 0) return rows;
  const idPrefix = idPrefixOf(searched);
  const ofReceipt = idPrefix === null ? null : await ledger.find({ idPrefix });
  return ofReceipt === null ? await findAtService(engine, ledger, searched) : [ofReceipt];
}

const MAX_LENGTH = 300;

/** Each key is looked up in an index of the ledger. */
async function findById(ledger: PagesLedger, searched: string): Promise<Payment | null> {
  for (const key of keysOf(searched)) {
    const payment = await ledger.find(key);
    if (payment) return payment;
  }
  return null;
}

function keysOf(searched: string): readonly PaymentKey[] {
  // Alone, or in the address of the hosted page.
  const [, sessionCode] = /(?:^|\/)(cs_\w+)(?:[/?#]|$)/.exec(searched) ?? [];
  // A reference: the payment's id, a dot and a signature.
  const [, paymentId] = /^([\w-]{8,64})\.[\w-]{8,}$/.exec(searched) ?? [];
  const isUnprefixed = /^[0-9A-Za-z]{8,40}$/.test(searched);
  return [
    { id: searched },
    { transactionId: searched },
    { sessionId: searched },
    ...(sessionCode === undefined ? [] : [{ sessionCode }]),
    ...(searched.startsWith("txn_") ? [{ transactionCode: searched }] : []),
    ...(paymentId === undefined ? [] : [{ id: paymentId }]),
    ...(isUnprefixed ? [{ sessionCode: `cs_${searched}` }, { transactionCode: `txn_${searched}` }] : []),
  ];
}

async function findByOrderOrCustomer(ledger: PagesLedger, searched: string): Promise<readonly Payment[]> {
  const limit = serverLimits.rowsPerPage;
  const { rows } = await ledger.listPayments({ orderNumber: searched.replace(/^#/, ""), limit });
  return rows.length > 0 ? rows : (await ledger.listPayments({ customerId: searched, limit })).rows;
}

/** A transaction whose events never arrived is read at the service with the API keys that the newest payments use. */
async function findAtService(engine: Engine, ledger: PagesLedger, searched: string): Promise<readonly Payment[]> {
  if (!/^txn_\w+$/.test(searched)) return [];
  const { rows } = await ledger.listPayments({ limit: serverLimits.maxSearchedPayments });
  const byCredential = new Map(rows.map((payment) => [payment.credentialId, payment]));
  for (const { credentialId, account } of [...byCredential.values()].slice(0, serverLimits.maxSearchedCredentials)) {
    const service = await engine.tenants.service(credentialId).catch(() => null);
    // An API key that cannot be used now, or that does not see the transaction, must not end the search with the other keys.
    const transaction = await service
      ?.readTransaction({ id: searched, account, deadlineMs: limits.serviceCallMs })
      .catch(() => null);
    if (!transaction) continue;
    const { id: transactionId, sessionId } = transaction;
    const payment =
      (transactionId === undefined ? null : await ledger.find({ transactionId })) ??
      (sessionId === undefined ? null : await ledger.find({ sessionId }));
    if (payment) return [payment];
  }
  return [];
}
