import type { CallOptions, PlainCallOptions, ScenarioCallOptions, ServiceResponse } from "../call/call-options.ts";
import { callOne, type SendOperation } from "../call/operation.ts";
import { type CardCharge, type MobileMoneyCharge, parseCardCharge, parseMobileMoneyCharge } from "../models/charge.ts";
import type { CardChargeRequest, MtnChargeRequest, WaveChargeRequest } from "../requests/charge.ts";

export type Charges = {
  /** POST /charge/card; the customer's browser confirms it with `clientSecret` and the publishable key. */
  card(body: CardChargeRequest | string, options?: CallOptions): Promise<ServiceResponse<CardCharge>>;
  wave(body: WaveChargeRequest | string, options?: ScenarioCallOptions): Promise<ServiceResponse<MobileMoneyCharge>>;
  mtn(body: MtnChargeRequest | string, options?: ScenarioCallOptions): Promise<ServiceResponse<MobileMoneyCharge>>;
  /**
   * The payment method `switch`: POST /charge/switch always fails with `service_unavailable`; create a checkout session instead.
   */
  switch(body: object | string, options?: PlainCallOptions): Promise<ServiceResponse<MobileMoneyCharge>>;
  /** GET /charge/card/{id}, where the id is `pi_…`. */
  readCard(id: string, options?: PlainCallOptions): Promise<ServiceResponse<CardCharge>>;
};

export function charges(send: SendOperation): Charges {
  return {
    card: (body, options) => callOne(send, "ChargesController_card", parseCardCharge, { body }, options),
    wave: (body, options) => callOne(send, "ChargesController_wave", parseMobileMoneyCharge, { body }, options),
    mtn: (body, options) => callOne(send, "ChargesController_mtn", parseMobileMoneyCharge, { body }, options),
    switch: (body, options) => callOne(send, "ChargesController_switch", parseMobileMoneyCharge, { body }, options),
    readCard: (id, options) =>
      callOne(send, "ChargesController_findCard", parseCardCharge, { params: { id } }, options),
  };
}
