import { ApiError } from "../domain/api-error.ts";
import { isoTime } from "../domain/clock.ts";
import { mergeSettings, type Settings, type SettingsPatch } from "../domain/settings.ts";
import type { Fault, FaultRequest } from "../faults/fault-request.ts";
import type { Service } from "../runtime/service.ts";
import { writeMeta } from "../storage/open-store.ts";

export type ClockReading = { now: string; offsetMs: number };

/** Settings, clock and faults of the sandbox. */
export type ServiceControl = {
  readSettings(): Settings;
  changeSettings(patch: SettingsPatch): Promise<Settings>;
  readClock(): ClockReading;
  /** Resolves when all payments that became due are done and the due webhook deliveries were started. */
  advanceClock(advanceMs: number): Promise<ClockReading>;
  listFaults(): readonly Fault[];
  addFault(fault: FaultRequest): Promise<Fault>;
  clearFaults(): Promise<void>;
};

export function serviceControl(service: Service): ServiceControl {
  const readClock = (): ClockReading => ({ now: isoTime(service.clock.now()), offsetMs: service.clock.offsetMs() });
  return {
    readSettings: () => service.settings,
    async changeSettings(patch) {
      const next = mergeSettings(service.settings, patch);
      await service.store.write((database) => writeMeta(database, "settings", next));
      service.settings = next;
      return next;
    },
    readClock,
    async advanceClock(advanceMs) {
      await moveClock(service, advanceMs);
      return readClock();
    },
    listFaults: () => service.faults.list(),
    addFault: (fault) => service.faults.add(fault),
    clearFaults: () => service.faults.clear(),
  };
}

const tenYearsMs = 10 * 366 * 86_400_000;

/**
 * Moves the clock of the sandbox forward and runs the work that is due by then.
 * @throws ApiError `bad_request`
 */
async function moveClock(service: Service, advanceMs: number): Promise<void> {
  if (!Number.isSafeInteger(advanceMs) || advanceMs < 0 || advanceMs > tenYearsMs) {
    throw new ApiError("bad_request", "advanceMs must be a whole number of milliseconds, from 0 to ten years.");
  }
  const offsetMs = service.clock.offsetMs() + advanceMs;
  await service.store.write((database) => writeMeta(database, "clockOffsetMs", offsetMs));
  service.clock.setOffset(offsetMs);
  await service.paymentScheduler.runDue();
  // Starts the due deliveries and does not wait for their answers.
  await service.deliveryScheduler.runDue();
}
