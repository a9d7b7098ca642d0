import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CheckoutError, codeOf } from "@tillkit/core";
import { readConfigFile } from "@tillkit/server/config";
import { readShopifyConfig } from "../config/config.ts";
import { offsiteFiles, orderFiles } from "./app-files.ts";

export type InitOptions = {
  readonly configFile: string;
  /** The target folder, which is created where it does not exist. */
  readonly outputDirectory: string;
  readonly print: (text: string) => void;
};

/**
 * The command `tillkit shopify init`: writes what Shopify CLI deploys, from the configuration of the server: `shopify.app.toml`, and
 * the extension of the mode. An existing file is not changed.
 * @throws CheckoutError `configuration_invalid`
 */
export async function initShopify({ configFile, outputDirectory, print }: InitOptions): Promise<void> {
  const config = readShopifyConfig(await readConfigFile(configFile));
  const files = config.app.mode === "offsite" ? offsiteFiles(config) : orderFiles(config);
  for (const [name, content] of Object.entries(files)) await write(join(outputDirectory, name), content, print);
}

async function write(file: string, content: string, print: (text: string) => void): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
  } catch (error) {
    throw notWritable(file, error);
  }
  try {
    await writeFile(file, content, { flag: "wx" });
    print(`Written: ${file}`);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw notWritable(file, error);
    print(`Not changed, because it exists: ${file}`);
  }
}

function notWritable(file: string, error: unknown): CheckoutError {
  return new CheckoutError("configuration_invalid", `${file} cannot be written (${codeOf(error)}).`);
}
