import { cardChargeRequestSchema, mtnChargeRequestSchema, waveChargeRequestSchema } from "@tillkit/client/schemas";
import { cardChargeJson } from "../../charges/card-charge-json.ts";
import { chargeCard, readCardCharge } from "../../charges/card-charges.ts";
import { chargeMtn, chargeWave, type Scenario, wavePageUrl } from "../../charges/mobile-charges.ts";
import { validationFailed } from "../../domain/api-error.ts";
import { validate } from "../../http/validate.ts";
import { type Operation, type OperationCall, readOperation, writeOperation } from "./operation.ts";

/** POST /charge/card */
export const postCardCharge: Operation = writeOperation({
  validate: ({ body }) => validate(cardChargeRequestSchema, body),
  async perform({ caller }, request, context) {
    const charge = cardChargeJson(await chargeCard(context, caller, request));
    // The service names the transaction only in GET /charge/card/{id}.
    const { transaction_id: _, ...data } = charge.data as Record<string, unknown>;
    return { status: 201, body: { ...charge, data } };
  },
});

/** GET /charge/card/{id} */
export const getCardCharge: Operation = readOperation(async ({ caller, params }, database) => ({
  status: 200,
  body: cardChargeJson(await readCardCharge(database, params.id ?? "", caller)),
}));

/** POST /charge/wave */
export const postWaveCharge: Operation = writeOperation({
  validate: (call) => ({ request: validate(waveChargeRequestSchema, call.body), scenario: scenarioOf(call) }),
  async perform({ service, caller }, { request, scenario }, context) {
    const { charge, transaction } = await chargeWave(context, caller, request, scenario);
    const url = wavePageUrl(service, charge);
    const body = {
      transactionId: transaction.transaction_id,
      transaction_id: transaction.transaction_id,
      wave_launch_url: url,
      checkout_url: url,
      status: transaction.status,
      data: {},
      next_action: { type: "redirect", url },
    };
    return { status: 201, body };
  },
});

/** POST /charge/mtn */
export const postMtnCharge: Operation = writeOperation({
  validate(call) {
    const request = validate(mtnChargeRequestSchema, call.body);
    return { request, scenario: scenarioOf(call) };
  },
  async perform({ service, caller }, { request, scenario }, context) {
    const transaction = await chargeMtn(context, caller, request, scenario);
    // The service writes the pending status of MTN charges in capitals.
    const status = transaction.status === "pending" ? "PENDING" : transaction.status;
    const data = {
      transaction_id: transaction.transaction_id,
      external_id: service.ids.prefixed("ext"),
      reference_id: service.ids.uuid(),
      status,
    };
    return { status: 201, body: { success: true, data, next_action: { type: "await_webhook", status } } };
  },
});

/** POST /charge/switch: always unavailable. */
export const postSwitchCharge: Operation = {
  unavailable: "Direct charges by switch are temporarily unavailable: use hosted checkout",
};

/** The outcome that `X-Scenario-Key` requests. Live keys ignore the header. */
function scenarioOf({ caller, scenario }: OperationCall): Scenario {
  if (caller.environment === "live" || scenario === "") return null;
  if (scenario === "pending" || scenario === "failed") return scenario;
  throw validationFailed({ "X-Scenario-Key": ["must be pending or failed"] });
}
