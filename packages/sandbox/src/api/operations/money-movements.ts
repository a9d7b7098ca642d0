import {
  instantSettlementRequestSchema,
  paymentRequestRequestSchema,
  payoutRequestSchema,
} from "@tillkit/client/schemas";
import { previewUnlessConfirmed } from "../../balances/confirmations.ts";
import { assertPayoutAllowed, createPayout, payoutJson } from "../../balances/payouts.ts";
import { assertSettlementAllowed, createSettlement, settlementJson } from "../../balances/settlements.ts";
import { validationFailed } from "../../domain/api-error.ts";
import { validate } from "../../http/validate.ts";
import { createPaymentRequest } from "../../payments/payment-requests.ts";
import { type Operation, previewResult, writeOperation } from "./operation.ts";

/** POST /payment-requests */
export const postPaymentRequest: Operation = writeOperation({
  validate({ service, body }) {
    const request = validate(paymentRequestRequestSchema, body);
    if (Date.parse(request.expiry_date) <= service.clock.now()) {
      throw validationFailed({ expiry_date: ["must be in the future"] });
    }
    return request;
  },
  perform: async ({ caller }, request, context) => ({
    status: 201,
    body: await createPaymentRequest(context, caller, request),
  }),
});

/** POST /payouts */
export const postPayout: Operation = writeOperation({
  validate: ({ body }) => validate(payoutRequestSchema, body),
  async perform({ caller }, request, context) {
    await assertPayoutAllowed(context, caller, request);
    const { confirmation_token: token, reason: _, ...preview } = request;
    const unconfirmedPreview = await previewUnlessConfirmed(context, { owner: caller, kind: "payout", preview, token });
    if (unconfirmedPreview !== null) return previewResult(unconfirmedPreview);
    return { status: 201, body: payoutJson(await createPayout(context, caller, request)) };
  },
});

/** POST /settlements/instant */
export const postInstantSettlement: Operation = writeOperation({
  validate: ({ body }) => validate(instantSettlementRequestSchema, body),
  async perform({ caller }, request, context) {
    await assertSettlementAllowed(context, caller, request);
    const { confirmation_token: token, ...preview } = request;
    const unconfirmedPreview = await previewUnlessConfirmed(context, {
      owner: caller,
      kind: "settlement",
      preview,
      token,
    });
    if (unconfirmedPreview !== null) return previewResult(unconfirmedPreview);
    return { status: 201, body: settlementJson(await createSettlement(context, caller, request)) };
  },
});
