export type { SandboxControl } from "./control/control.ts";
export type { AttemptRecord, DeliveryRecord } from "./control/delivery-records.ts";
export type { EventRecord } from "./control/event-records.ts";
export type { NetworkControl } from "./control/network-control.ts";
export type {
  InviteRecord,
  MemberRecord,
  MembershipRecord,
  OperatorFeeRecord,
  OperatorRecord,
} from "./control/network-records.ts";
export type { Organization } from "./control/organization-control.ts";
export { createSandbox, type Sandbox, type SandboxOptions } from "./create-sandbox.ts";
export type { BaseClock } from "./domain/clock.ts";
export type { Settings, SettingsPatch } from "./domain/settings.ts";
export type { FaultRequest } from "./faults/fault-request.ts";
export type { Keys } from "./organizations/api-keys.ts";
export { type RunSandboxOptions, runSandbox } from "./run-sandbox.ts";
export { type Activity, activityLine } from "./runtime/activity.ts";
