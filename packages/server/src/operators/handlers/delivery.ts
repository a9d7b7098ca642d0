import { deliveryPage, missingDeliveryPage } from "../pages/delivery-page.ts";
import { paymentTexts } from "../texts/payment-texts.ts";
import { type OperatorRequest, type OperatorResponse, pageResponse } from "./operator-request.ts";
import { redactBody } from "./redact-body.ts";

/** The content of one webhook. `id` is its digest. */
export async function showDelivery({ ledger, context, params, id }: OperatorRequest): Promise<OperatorResponse> {
  const texts = paymentTexts[context.language];
  const delivery = await ledger.delivery(params.endpoint ?? "", id);
  if (!delivery) return pageResponse(missingDeliveryPage(context), 404);
  const isPruned = delivery.bytes.byteLength === 0;
  return pageResponse(deliveryPage(isPruned ? null : redactBody(delivery.bytes, texts.removed), isPruned, context));
}
