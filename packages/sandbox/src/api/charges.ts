import { cardChargeRequestSchema, mtnChargeRequestSchema, waveChargeRequestSchema } from "@tillkit/client/schemas";
import { cardChargeJson, chargeCard, readCardCharge } from "../charges/card-charges.ts";
import { chargeMtn, chargeWave, type Scenario, wavePageUrl } from "../charges/mobile-charges.ts";
import { validationFailed } from "../service/refusal.ts";
import type { Call, Operation } from "./operation.ts";
import { reading, writing } from "./operation.ts";
import { validated } from "./validated.ts";

/** POST /charge/card */
export const createCardCharge: Operation = writing({
  validate: ({ body }) => validated(cardChargeRequestSchema, body),
  async change({ caller }, request, change) {
    const charge = cardChargeJson(await chargeCard(change, caller, request));
    const { transaction_id: _, ...data } = charge.data as Record<string, unknown>;
    return { status: 201, body: { ...charge, data } };
  },
});

/** GET /charge/card/{id} */
export const readCardChargeById: Operation = reading(async ({ caller, params }, rows) => ({
  status: 200,
  body: cardChargeJson(await readCardCharge(rows, params.id ?? "", caller)),
}));

/** POST /charge/wave */
export const createWaveCharge: Operation = writing({
  validate: (call) => ({ request: validated(waveChargeRequestSchema, call.body), scenario: scenarioOf(call) }),
  async change({ service, caller }, { request, scenario }, change) {
    const { charge, transaction } = await chargeWave(change, caller, request, scenario);
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
export const createMtnCharge: Operation = writing({
  validate(call) {
    const request = validated(mtnChargeRequestSchema, call.body);
    if (request.currency !== "XOF") throw validationFailed({ currency: ["must be XOF"] });
    return { request, scenario: scenarioOf(call) };
  },
  async change({ service, caller }, { request, scenario }, change) {
    const transaction = await chargeMtn(change, caller, request, scenario);
    // Capitals while it waits: the real service writes it so.
    const status = transaction.status === "pending" ? "PENDING" : transaction.status;
    const data = {
      transaction_id: transaction.transaction_id,
      external_id: service.ids.short("ext"),
      reference_id: service.ids.uuid(),
      status,
    };
    return { status: 201, body: { success: true, data, next_action: { type: "await_webhook", status } } };
  },
});

/** POST /charge/switch: muted for good. */
export const refuseSwitchCharge: Operation = {
  closed: "Direct charges by switch are temporarily unavailable: use hosted checkout",
};

/** Steers the test environment only: with a live key it is ignored. */
function scenarioOf({ caller, scenario }: Call): Scenario {
  if (caller.environment === "live" || scenario === "") return null;
  if (scenario === "pending" || scenario === "failed") return scenario;
  throw validationFailed({ "X-Scenario-Key": ["must be pending or failed"] });
}
