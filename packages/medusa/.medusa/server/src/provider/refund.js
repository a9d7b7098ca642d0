"use strict";
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

// src/provider/refund.ts
var refund_exports = {};
__export(refund_exports, {
  refund: () => refund
});
module.exports = __toCommonJS(refund_exports);
var import_core = require("@tillkit/core");
var import_recorded_elsewhere = require("../adapter/recorded-elsewhere.js");
var import_limits = require("../limits.js");
var import_amounts = require("../shop/amounts.js");
var import_collection = require("../shop/collection.js");
var import_medusa_container = require("../shop/medusa-container.js");
var import_payment_data = require("./payment-data.js");
var import_refusal = require("./refusal.js");
var PREFIX = "medusa:";
async function refund(till, payment, input) {
  if ((0, import_recorded_elsewhere.isBeingWrittenDown)(payment.id)) return { data: (0, import_payment_data.dataOf)(payment) };
  return await till.inTurn(payment.id, async () => {
    const amount = (0, import_amounts.moneyOf)(input.amount, payment.owed.currency);
    const key = `${PREFIX}${input.context?.idempotency_key ?? till.engine.random.uuid()}`;
    await refuseSecondClick(till, payment, amount.minor, key);
    const wish = { paymentId: payment.id, key, amount, origin: "store" };
    const answered = await watch(till, await (0, import_core.refundPayment)(till.engine, wish));
    if (answered.key !== key) await refuseWhatMedusaHas(till, answered);
    assertUnderWay(answered);
    return { data: (0, import_payment_data.dataOf)(payment) };
  });
}
function assertUnderWay({ state }) {
  if (state === "completed" || state === "pending") return;
  if (state === "failed") throw (0, import_refusal.notAllowed)("The service refused this refund: the money is still here.");
  throw (0, import_refusal.notAllowed)(
    "The service did not answer, so nobody knows yet whether the money went back. Try again in a moment: it is not sent twice."
  );
}
async function watch(till, asked) {
  const { clock } = till.engine;
  const until = clock.now() + import_limits.pluginLimits.refundWatchMs;
  let refund2 = asked;
  while (refund2.state === "pending" && clock.now() < until) {
    await clock.sleep(import_limits.pluginLimits.refundWatchEveryMs);
    const known = await (0, import_core.learnRefunds)(till.engine, refund2.paymentId).catch(() => []);
    refund2 = known.find(({ key }) => key === asked.key) ?? refund2;
  }
  return refund2;
}
async function refuseSecondClick(till, { id, owed }, minor, key) {
  const refunds = await till.ledger.refunds(id);
  if (refunds.some((known) => known.key === key)) return;
  const same = refunds.filter(({ amount, origin }) => origin === "store" && amount.minor === minor);
  if (!same.some(({ state }) => state === "completed" || state === "pending")) return;
  const since = till.engine.clock.now() - import_limits.pluginLimits.secondClickMs;
  const detail = `${minor} ${owed.currency}`;
  const story = await till.ledger.story({ paymentId: id });
  if (!story.some((line) => line.what === "refund_asked" && line.detail === detail && line.at > since)) return;
  throw (0, import_refusal.notAllowed)(
    "The same amount was given back a moment ago. If you want to give it back once more, wait a few seconds and ask again."
  );
}
async function refuseWhatMedusaHas({ container }, { key }) {
  const found = await (0, import_collection.rows)((0, import_medusa_container.queryOf)(container), "refund", ["id"], { id: key.slice(PREFIX.length) });
  if (found.length > 0) throw (0, import_refusal.notAllowed)("The same refund is under way already: look at the order again in a moment.");
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  refund
});
