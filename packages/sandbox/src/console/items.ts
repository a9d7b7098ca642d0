import type { RequestRecord } from "../api/request-log.ts";
import type { DeliveryRecord, EventRecord } from "../control/records.ts";
import { storedTerms } from "../payments/session-terms.ts";
import type { Service } from "../service/service.ts";
import type { DisputeRow, RefundRow } from "../storage/money-tables.ts";
import type { CustomerRow, SessionRow, TransactionRow } from "../storage/tables.ts";
import { pageUrl } from "./address.ts";
import { addressText, amountIn, timeText } from "./facts.ts";
import type { Row } from "./rows.ts";

export function sessionItem(service: Service, session: SessionRow): Row {
  return {
    href: pageUrl("sessions", session.session_id),
    name: storedTerms(session).title ?? "Untitled",
    about: [timeText(service, session.created_at), session.code, liveOnly(session)],
    amount: amountIn(service, session.amount, session.currency_code),
    status: session.status,
  };
}

export function transactionItem(service: Service, transaction: TransactionRow): Row {
  const { description, failure_message } = transaction;
  return {
    href: pageUrl("transactions", transaction.transaction_id),
    name: description ?? transaction.public_id,
    about: [
      timeText(service, transaction.created_at),
      transaction.provider_code,
      failure_message ?? transaction.public_id,
      liveOnly(transaction),
    ],
    amount: amountIn(service, transaction.gross_amount, transaction.currency_code),
    status: transaction.status,
  };
}

export function refundItem(service: Service, refund: RefundRow): Row {
  return {
    href: pageUrl("refunds", refund.refund_id),
    name: refund.reason ?? "Refund",
    about: [timeText(service, refund.created_at), refund.refund_id, liveOnly(refund)],
    amount: amountIn(service, refund.amount, refund.currency_code),
    status: refund.status,
  };
}

export function customerItem(service: Service, customer: CustomerRow): Row {
  return {
    href: pageUrl("customers", customer.customer_id),
    name: customer.name ?? customer.public_id,
    about: [timeText(service, customer.created_at), customer.email ?? customer.phone_number, liveOnly(customer)],
  };
}

export function disputeItem(service: Service, dispute: DisputeRow): Row {
  return {
    href: pageUrl("disputes", dispute.dispute_id),
    name: dispute.reason.replaceAll("_", " "),
    about: [timeText(service, dispute.created_at), dispute.dispute_id, liveOnly(dispute)],
    amount: amountIn(service, dispute.amount, dispute.currency_code),
    status: dispute.outcome ?? dispute.status,
  };
}

export function eventItem(service: Service, event: EventRecord): Row {
  const { deliveries } = event;
  return {
    href: pageUrl("events", event.id),
    name: event.event,
    about: [
      timeText(service, event.created_at),
      deliveries.length === 0 ? "nobody subscribed" : count(deliveries.length, "delivery", "deliveries"),
      liveOnly(event),
    ],
  };
}

export function deliveryItem(service: Service, delivery: DeliveryRecord): Row {
  const last = delivery.attempts.at(-1);
  return {
    href: pageUrl("deliveries", delivery.id),
    name: delivery.event,
    about: [
      timeText(service, delivery.created_at),
      count(delivery.attempts.length, "attempt", "attempts"),
      last !== undefined && !last.success && `last: ${last.response_status ?? last.error}`,
      addressText(delivery.url),
    ],
    status: delivery.state,
  };
}

export function requestItem(service: Service, request: RequestRecord): Row {
  const { status } = request;
  return {
    href: pageUrl("requests", request.request_id),
    name: `${request.method} ${request.path}`,
    about: [
      timeText(service, request.received_at),
      `${request.duration_ms} ms`,
      request.error_code,
      request.replayed && "replayed",
      request.fault !== null && "fault",
      liveOnly(request),
    ],
    status: status === null ? "no answer" : String(status),
  };
}

export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

function liveOnly({ environment }: { environment: "test" | "live" | null }): string | false {
  return environment === "live" && "live";
}
