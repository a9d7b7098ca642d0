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

// src/till/work-timer.ts
var work_timer_exports = {};
__export(work_timer_exports, {
  createWorkTimer: () => createWorkTimer
});
module.exports = __toCommonJS(work_timer_exports);
var import_core = require("@tillkit/core");
var import_limits = require("../limits.js");
function createWorkTimer(work, clock, log) {
  const underWay = /* @__PURE__ */ new Set();
  let isClosed = false;
  let isRunning = false;
  let isKicked = false;
  let wake = new AbortController();
  async function loop() {
    while (!isClosed) {
      isKicked = false;
      const touched = await within(clock, import_limits.pluginLimits.overtakeMs, beginRound());
      while (underWay.size >= import_limits.pluginLimits.roundsAtOnce && !isClosed) await Promise.race(underWay);
      if (touched === 0 && !isKicked && !isClosed) await rest();
    }
  }
  function beginRound() {
    const round = work().catch((error) => {
      log.error("timer.round_failed", { code: (0, import_core.codeOf)(error) });
      return 0;
    }).finally(() => underWay.delete(round));
    underWay.add(round);
    return round;
  }
  async function rest() {
    wake = new AbortController();
    await clock.sleep(import_limits.pluginLimits.roundMs, wake.signal).catch(() => void 0);
  }
  return {
    start() {
      if (isRunning || isClosed) return;
      isRunning = true;
      void loop();
    },
    kick() {
      isKicked = true;
      wake.abort("kicked");
    },
    async close() {
      isClosed = true;
      wake.abort("closed");
      await within(clock, import_limits.pluginLimits.closeMs, Promise.all(underWay));
    }
  };
}
async function within(clock, ms, work) {
  const answered = new AbortController();
  const late = clock.sleep(ms, answered.signal).then(
    () => null,
    () => null
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    answered.abort("answered");
  }
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  createWorkTimer
});
