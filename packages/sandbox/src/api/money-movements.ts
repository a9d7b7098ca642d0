import {
  instantSettlementRequestSchema,
  paymentRequestRequestSchema,
  payoutRequestSchema,
} from "@tillkit/client/schemas";
import { previewFirst } from "../balances/confirmations.ts";
import { createPaymentRequest } from "../payment-requests/payment-requests.ts";
import { createPayout, payoutJson, refusePayout } from "../payouts/payouts.ts";
import { refuseSettlement, settle, settlementJson } from "../payouts/settlements.ts";
import { validationFailed } from "../service/refusal.ts";
import { type Operation, writing } from "./operation.ts";
import { validated } from "./validated.ts";

/** POST /payment-requests */
export const createRequestForPayment: Operation = writing({
  validate({ service, body }) {
    const request = validated(paymentRequestRequestSchema, body);
    if (Date.parse(request.expiry_date) <= service.clock.now()) {
      throw validationFailed({ expiry_date: ["must be in the future"] });
    }
    return request;
  },
  change: async ({ caller }, request, change) => ({
    status: 201,
    body: await createPaymentRequest(change, caller, request),
  }),
});

/** POST /payouts */
export const createPayoutOfBalance: Operation = writing({
  validate: ({ body }) => validated(payoutRequestSchema, body),
  async change({ caller }, request, change) {
    await refusePayout(change, caller, request);
    const { confirmation_token: token, reason: _, ...preview } = request;
    const previewed = await previewFirst(change, { owner: caller, kind: "payout", preview, token });
    if (previewed !== null) return previewed;
    return { status: 201, body: payoutJson(await createPayout(change, caller, request)) };
  },
});

/** POST /settlements/instant */
export const createInstantSettlement: Operation = writing({
  validate: ({ body }) => validated(instantSettlementRequestSchema, body),
  async change({ caller }, request, change) {
    await refuseSettlement(change, caller, request);
    const { confirmation_token: token, ...preview } = request;
    const previewed = await previewFirst(change, { owner: caller, kind: "settlement", preview, token });
    if (previewed !== null) return previewed;
    return { status: 201, body: settlementJson(await settle(change, caller, request)) };
  },
});
