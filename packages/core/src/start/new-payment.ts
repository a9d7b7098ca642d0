import { limits } from "../domain/limits.ts";
import { money, toWire } from "../domain/money.ts";
import type { Order } from "../domain/order.ts";
import { NEW_PAYMENT_DEFAULTS, type Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import type { Credential } from "../ports/tenants.ts";
import { signReference } from "../signing/reference.ts";
import { signOrder } from "../signing/signed-order.ts";

export function newPayment(engine: Engine, order: Order, credential: Credential): Payment {
  const id = engine.random.uuid();
  const reference = signReference(id, engine.referenceKeys[0]);
  const amountDue = money(order.total.minor, order.total.currency);
  const amount = toWire(amountDue, engine.amountUnit);
  const urls = engine.returnUrls({ id, ref: order.ref, attempt: order.attempt, language: order.language });
  const facts = {
    ref: order.ref,
    attempt: order.attempt,
    environment: order.environment,
    account: credential.account,
    credentialId: credential.id,
    createdAt: engine.clock.now(),
    amountDue,
    wireAmount: amount,
  };
  const title = [...order.title.trim()].slice(0, limits.maxTitleLength).join("");
  const request = {
    amount,
    currency_code: amountDue.currency,
    ...(title === "" ? {} : { title }),
    success_url: urls.success,
    cancel_url: urls.cancel,
    metadata: {
      tillkit_reference: reference,
      tillkit_store: order.ref.storeId,
      tillkit_order: signOrder(id, facts, engine.referenceKeys[0]),
    },
  };
  return {
    ...NEW_PAYMENT_DEFAULTS,
    ...facts,
    id,
    request: JSON.stringify(request),
    reference,
    session: null,
    state: "intent",
  };
}
