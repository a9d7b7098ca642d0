import type { DeliveryRecord } from "../../control/delivery-records.ts";
import type { EventRecord } from "../../control/event-records.ts";
import { html } from "../../pages/html.ts";
import { readSessionDetails } from "../../payments/session-details.ts";
import type { RequestRecord } from "../../runtime/request-log.ts";
import type { DisputeRow, RefundRow } from "../../storage/money-tables.ts";
import type { CustomerRow, SessionRow, TransactionRow } from "../../storage/payment-tables.ts";
import type { EndpointRow } from "../../storage/webhook-tables.ts";
import type { ConsoleTexts } from "../texts/texts.ts";
import { amountText, endpointText, timeText } from "./details.ts";
import type { ListItem } from "./lists.ts";
import { pageUrl } from "./page-url.ts";
import type { PageContext } from "./section.ts";

export function sessionListItem(context: PageContext, session: SessionRow): ListItem {
  return {
    href: pageUrl("sessions", session.session_id),
    name: readSessionDetails(session).title ?? context.texts.lists.untitled,
    about: [timeText(session.created_at), session.code, liveOnly(context, session)],
    amount: amountText(context, session.amount, session.currency_code),
    status: session.status,
  };
}

export function transactionListItem(context: PageContext, transaction: TransactionRow): ListItem {
  const { description } = transaction;
  return {
    href: pageUrl("transactions", transaction.transaction_id),
    name: description ?? transaction.public_id,
    about: [
      timeText(transaction.created_at),
      transaction.provider_code,
      failureText(context.texts, transaction) ?? transaction.public_id,
      liveOnly(context, transaction),
    ],
    amount: amountText(context, transaction.gross_amount, transaction.currency_code),
    status: transaction.status,
  };
}

export function refundListItem(context: PageContext, refund: RefundRow): ListItem {
  return {
    href: pageUrl("refunds", refund.refund_id),
    name: refund.reason ?? context.texts.lists.refund,
    about: [timeText(refund.created_at), refund.refund_id, liveOnly(context, refund)],
    amount: amountText(context, refund.amount, refund.currency_code),
    status: refund.status,
  };
}

export function customerListItem({ texts }: PageContext, customer: CustomerRow): ListItem {
  return {
    href: pageUrl("customers", customer.customer_id),
    name: customer.name ?? customer.public_id,
    about: [timeText(customer.created_at), customer.email ?? customer.phone_number, liveOnly({ texts }, customer)],
  };
}

/** A dispute without an amount or a currency has no text. */
export function disputedAmountText(context: PageContext, { amount, currency_code }: DisputeRow): string {
  return amount === null || currency_code === null ? "" : amountText(context, amount, currency_code);
}

export function disputeListItem(context: PageContext, dispute: DisputeRow): ListItem {
  return {
    href: pageUrl("disputes", dispute.dispute_id),
    name: context.texts.disputeReason(dispute.reason),
    about: [timeText(dispute.created_at), dispute.dispute_id, liveOnly(context, dispute)],
    amount: disputedAmountText(context, dispute),
    status: dispute.outcome ?? dispute.status,
  };
}

export function eventListItem({ texts }: PageContext, event: EventRecord): ListItem {
  const { deliveries, description } = event;
  return {
    href: pageUrl("events", event.id),
    name: event.event,
    about: [
      description,
      timeText(event.created_at),
      deliveries.length === 0 ? texts.lists.noSubscribedEndpoint : texts.lists.deliveries(deliveries.length),
      liveOnly({ texts }, event),
    ],
  };
}

export function deliveryListItem({ texts }: PageContext, delivery: DeliveryRecord): ListItem {
  const last = delivery.attempts.at(-1);
  return {
    href: pageUrl("deliveries", delivery.id),
    name: delivery.event,
    about: [
      delivery.description,
      timeText(delivery.created_at),
      texts.lists.attempts(delivery.attempts.length),
      last !== undefined && !last.success && texts.lists.last(last.response_status ?? last.error),
      endpointText(texts, delivery.url),
    ],
    status: delivery.state,
  };
}

export function endpointListItem({ texts }: PageContext, endpoint: EndpointRow): ListItem {
  const { last_triggered_at, last_response_status } = endpoint;
  const events: unknown[] = JSON.parse(endpoint.authorized_events_json);
  return {
    href: pageUrl("endpoints", endpoint.webhook_id),
    name: endpointText(texts, endpoint.url),
    about: [
      endpoint.webhook_id,
      texts.lists.events(events.length),
      last_triggered_at !== null &&
        html`${texts.lists.lastAt} ${timeText(last_triggered_at)}: ${last_response_status ?? texts.lists.noAnswer}`,
      endpoint.description,
      liveOnly({ texts }, endpoint),
    ],
    status: endpoint.is_active === 1 ? "active" : "inactive",
  };
}

export function requestListItem({ texts }: PageContext, request: RequestRecord): ListItem {
  const { status } = request;
  return {
    href: pageUrl("requests", request.request_id),
    name: `${request.method} ${request.path}`,
    about: [
      timeText(request.received_at),
      `${request.duration_ms} ms`,
      request.error_code,
      request.replayed && texts.lists.replayed,
      request.fault !== null && texts.lists.fault,
      liveOnly({ texts }, request),
    ],
    status: status === null ? "no answer" : String(status),
  };
}

/** Why a transaction failed. Null when it did not fail. */
export function failureText({ transactions }: ConsoleTexts, row: TransactionRow): string | null {
  return transactions.failures[row.failure_code ?? ""] ?? row.failure_message;
}

function liveOnly(
  { texts }: Pick<PageContext, "texts">,
  { environment }: { environment: "test" | "live" | null },
): string | false {
  return environment === "live" && texts.environments.live;
}
