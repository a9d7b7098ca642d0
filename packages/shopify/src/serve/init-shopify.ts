import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CheckoutError, codeOf } from "@tillkit/core";
import { readConfigFile } from "@tillkit/server/config";
import { readShopifyConfig } from "../config/config.ts";
import { appToml, extensionToml } from "./toml.ts";

export type InitOptions = {
  readonly configFile: string;
  /** An existing folder, or one that is made. */
  readonly folder: string;
  readonly print: (text: string) => void;
};

/**
 * The program `tillkit shopify init`: writes what Shopify's own tool deploys, from the same configuration that the server runs
 * with. A file that is there is left alone.
 * @throws CheckoutError `configuration_invalid`
 */
export async function initShopify({ configFile, folder, print }: InitOptions): Promise<void> {
  const config = readShopifyConfig(await readConfigFile(configFile));
  const files: Record<string, string> = { "shopify.app.toml": appToml(config) };
  if (config.app.mode === "offsite")
    files["extensions/tillkit-payments/shopify.extension.toml"] = extensionToml(config);
  for (const [name, content] of Object.entries(files)) await write(join(folder, name), content, print);
}

async function write(file: string, content: string, print: (text: string) => void): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
  } catch (error) {
    throw notWritten(file, error);
  }
  try {
    await writeFile(file, content, { flag: "wx" });
    print(`Written: ${file}`);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw notWritten(file, error);
    print(`Left alone, because it is there: ${file}`);
  }
}

function notWritten(file: string, error: unknown): CheckoutError {
  return new CheckoutError("configuration_invalid", `${file} cannot be written (${codeOf(error)}).`);
}
