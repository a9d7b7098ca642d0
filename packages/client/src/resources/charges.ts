import type { KeyedCallOptions, PlainCallOptions, ScenarioCallOptions, ServiceResponse } from "../call/call-options.ts";
import { callOne, type SendOperation } from "../call/operation.ts";
import { type CardCharge, type MobileCharge, readCardCharge, readMobileCharge } from "../models/charge.ts";
import type { CardChargeRequest, MtnChargeRequest, WaveChargeRequest } from "../schemas/charge.ts";

export type Charges = {
  /** POST /charge/card; the customer's browser confirms it with `clientSecret` and the publishable key. */
  card(body: CardChargeRequest | string, call: KeyedCallOptions): Promise<ServiceResponse<CardCharge>>;
  wave(body: WaveChargeRequest | string, call: ScenarioCallOptions): Promise<ServiceResponse<MobileCharge>>;
  mtn(body: MtnChargeRequest | string, call: ScenarioCallOptions): Promise<ServiceResponse<MobileCharge>>;
  /** POST /charge/switch: a muted rail that answers `service_unavailable`; open a checkout session instead. */
  switch(body: object | string, call?: PlainCallOptions): Promise<ServiceResponse<MobileCharge>>;
  /** GET /charge/card/{id}, where the id is `pi_…`. */
  readCard(id: string, call?: PlainCallOptions): Promise<ServiceResponse<CardCharge>>;
};

export function charges(send: SendOperation): Charges {
  return {
    card: (body, call) => callOne(send, "ChargesController_card", readCardCharge, { body }, call),
    wave: (body, call) => callOne(send, "ChargesController_wave", readMobileCharge, { body }, call),
    mtn: (body, call) => callOne(send, "ChargesController_mtn", readMobileCharge, { body }, call),
    switch: (body, call) => callOne(send, "ChargesController_switch", readMobileCharge, { body }, call),
    readCard: (id, call) => callOne(send, "ChargesController_findCard", readCardCharge, { params: { id } }, call),
  };
}
