import { money, toWire } from "../domain/money.ts";
import type { Order } from "../domain/order.ts";
import { NEW_PAYMENT_DEFAULTS, type Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import type { Credential } from "../ports/tenants.ts";
import { sessionRequest } from "../sessions/session-request.ts";
import { signReference } from "../signing/reference.ts";
import { signOrder } from "../signing/signed-order.ts";

export function newPayment(engine: Engine, order: Order, credential: Credential): Payment {
  const id = engine.random.uuid();
  const reference = signReference(id, engine.referenceKeys[0]);
  const amountDue = money(order.total.minor, order.total.currency);
  const wireAmount = toWire(amountDue, engine.amountUnit);
  const facts = {
    ref: order.ref,
    attempt: order.attempt,
    environment: order.environment,
    account: credential.account,
    credentialId: credential.id,
    createdAt: engine.clock.now(),
    amountDue,
    wireAmount,
  };
  const request = sessionRequest(order, {
    wireAmount,
    currency: amountDue.currency,
    urls: engine.returnUrls({ id, ref: order.ref, attempt: order.attempt, language: order.language }),
    reference,
    signedOrder: signOrder(id, facts, engine.referenceKeys[0]),
  });
  const traceparent = engine.tracing.current();
  return {
    ...NEW_PAYMENT_DEFAULTS,
    ...facts,
    id,
    orderNumber: order.number ?? order.ref.orderId,
    request: JSON.stringify(request),
    reference,
    session: null,
    state: "intent",
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}
