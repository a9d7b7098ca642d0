export { configParts, type HostConfig, hostShape } from "./config/host-config.ts";
export { hostOptionsOf } from "./config/host-options.ts";
export {
  type ConfigReading,
  type ConfigSchema,
  isConfigAddress,
  isLoopback,
  readConfig,
  readConfigFile,
} from "./config/read-config.ts";
export type { ConfigIssue } from "./config/sentence.ts";
