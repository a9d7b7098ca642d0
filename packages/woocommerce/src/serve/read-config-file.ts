import { readConfigFile } from "@tillkit/server/config";
import { type CompanionConfig, readCompanionConfig } from "../config/config.ts";

/** @throws CheckoutError `configuration_invalid`, one sentence for each mistake, a line each */
export async function readCompanionConfigFile(
  file: string,
  environment?: Readonly<Record<string, string | undefined>>,
): Promise<CompanionConfig> {
  return readCompanionConfig(await readConfigFile(file), environment);
}
