export type { Organization, SandboxControl } from "./control/control.ts";
export type { NetworkControl } from "./control/network.ts";
export type {
  InviteRecord,
  MemberRecord,
  MembershipRecord,
  OperatorFeeRecord,
  OperatorRecord,
} from "./control/network-records.ts";
export type { AttemptRecord, DeliveryRecord, EventRecord } from "./control/records.ts";
export { createSandbox, type Sandbox, type SandboxOptions } from "./create-sandbox.ts";
export type { Keys } from "./payments/organizations.ts";
export { type RunSandboxOptions, runSandbox } from "./run-sandbox.ts";
export type { BaseClock } from "./service/clock.ts";
export type { FaultRequest } from "./service/fault-request.ts";
export type { Settings, SettingsPatch } from "./service/settings.ts";
