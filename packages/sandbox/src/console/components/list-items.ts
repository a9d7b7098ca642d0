import type { DeliveryRecord } from "../../control/delivery-records.ts";
import type { EventRecord } from "../../control/event-records.ts";
import { html } from "../../pages/html.ts";
import { readSessionDetails } from "../../payments/session-details.ts";
import type { RequestRecord } from "../../runtime/request-log.ts";
import type { Service } from "../../runtime/service.ts";
import type { DisputeRow, RefundRow } from "../../storage/money-tables.ts";
import type { CustomerRow, SessionRow, TransactionRow } from "../../storage/payment-tables.ts";
import type { EndpointRow } from "../../storage/webhook-tables.ts";
import { amountText, endpointText, timeText } from "./details.ts";
import type { ListItem } from "./lists.ts";
import { pageUrl } from "./page-url.ts";

export function sessionListItem(service: Service, session: SessionRow): ListItem {
  return {
    href: pageUrl("sessions", session.session_id),
    name: readSessionDetails(session).title ?? "Untitled",
    about: [timeText(session.created_at), session.code, liveOnly(session)],
    amount: amountText(service, session.amount, session.currency_code),
    status: session.status,
  };
}

export function transactionListItem(service: Service, transaction: TransactionRow): ListItem {
  const { description, failure_message } = transaction;
  return {
    href: pageUrl("transactions", transaction.transaction_id),
    name: description ?? transaction.public_id,
    about: [
      timeText(transaction.created_at),
      transaction.provider_code,
      failure_message ?? transaction.public_id,
      liveOnly(transaction),
    ],
    amount: amountText(service, transaction.gross_amount, transaction.currency_code),
    status: transaction.status,
  };
}

export function refundListItem(service: Service, refund: RefundRow): ListItem {
  return {
    href: pageUrl("refunds", refund.refund_id),
    name: refund.reason ?? "Refund",
    about: [timeText(refund.created_at), refund.refund_id, liveOnly(refund)],
    amount: amountText(service, refund.amount, refund.currency_code),
    status: refund.status,
  };
}

export function customerListItem(customer: CustomerRow): ListItem {
  return {
    href: pageUrl("customers", customer.customer_id),
    name: customer.name ?? customer.public_id,
    about: [timeText(customer.created_at), customer.email ?? customer.phone_number, liveOnly(customer)],
  };
}

/** A dispute without an amount or a currency has no text. */
export function disputedAmountText(service: Service, { amount, currency_code }: DisputeRow): string {
  return amount === null || currency_code === null ? "" : amountText(service, amount, currency_code);
}

export function disputeListItem(service: Service, dispute: DisputeRow): ListItem {
  return {
    href: pageUrl("disputes", dispute.dispute_id),
    name: dispute.reason.replaceAll("_", " "),
    about: [timeText(dispute.created_at), dispute.dispute_id, liveOnly(dispute)],
    amount: disputedAmountText(service, dispute),
    status: dispute.outcome ?? dispute.status,
  };
}

export function eventListItem(event: EventRecord): ListItem {
  const { deliveries, description } = event;
  return {
    href: pageUrl("events", event.id),
    name: event.event,
    about: [
      description,
      timeText(event.created_at),
      deliveries.length === 0 ? "no subscribed endpoint" : countText(deliveries.length, "delivery", "deliveries"),
      liveOnly(event),
    ],
  };
}

export function deliveryListItem(delivery: DeliveryRecord): ListItem {
  const last = delivery.attempts.at(-1);
  return {
    href: pageUrl("deliveries", delivery.id),
    name: delivery.event,
    about: [
      delivery.description,
      timeText(delivery.created_at),
      countText(delivery.attempts.length, "attempt", "attempts"),
      last !== undefined && !last.success && `last: ${last.response_status ?? last.error}`,
      endpointText(delivery.url),
    ],
    status: delivery.state,
  };
}

export function endpointListItem(endpoint: EndpointRow): ListItem {
  const { last_triggered_at, last_response_status } = endpoint;
  const events: unknown[] = JSON.parse(endpoint.authorized_events_json);
  return {
    href: pageUrl("endpoints", endpoint.webhook_id),
    name: endpointText(endpoint.url),
    about: [
      endpoint.webhook_id,
      countText(events.length, "event", "events"),
      last_triggered_at !== null && html`last ${timeText(last_triggered_at)}: ${last_response_status ?? "no answer"}`,
      endpoint.description,
      liveOnly(endpoint),
    ],
    status: endpoint.is_active === 1 ? "active" : "inactive",
  };
}

export function requestListItem(request: RequestRecord): ListItem {
  const { status } = request;
  return {
    href: pageUrl("requests", request.request_id),
    name: `${request.method} ${request.path}`,
    about: [
      timeText(request.received_at),
      `${request.duration_ms} ms`,
      request.error_code,
      request.replayed && "replayed",
      request.fault !== null && "fault",
      liveOnly(request),
    ],
    status: status === null ? "no answer" : String(status),
  };
}

export function countText(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

function liveOnly({ environment }: { environment: "test" | "live" | null }): string | false {
  return environment === "live" && "live";
}
