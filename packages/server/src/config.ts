export { addressSchema } from "./config/address-schema.ts";
export { configParts, type HostConfig, hostShape } from "./config/host-config.ts";
export { hostOptionsOf } from "./config/host-options.ts";
export { loadOpenTelemetry } from "./config/load-open-telemetry.ts";
export { type ConfigReading, readConfig, readConfigFile } from "./config/read-config.ts";
export { withRole } from "./config/role-setting.ts";
