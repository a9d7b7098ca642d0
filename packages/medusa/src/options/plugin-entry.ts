import { CheckoutError } from "@tillkit/core";
import { z } from "zod";

const configSchema = z.object({
  plugins: z.array(z.union([z.string(), z.object({ resolve: z.string() })])).nullish(),
});

/** The message of the check at boot and of the check at the first payment. */
export const MISSING_PLUGIN_ENTRY =
  'The plugin entry is missing: add { resolve: "@tillkit/medusa", options } to plugins in medusa-config.';

/**
 * Runs when Medusa loads the provider. Without the plugin entry no route would receive webhooks and no timer would run. The path of
 * a plugin may be local, so any path that names tillkit counts.
 * @throws CheckoutError `configuration_invalid`
 */
export async function assertPluginEntry({
  container,
}: {
  readonly container: { resolve(name: string): unknown };
}): Promise<void> {
  const parsed = configSchema.safeParse(container.resolve("configModule"));
  if (!parsed.success) return;
  const names = (parsed.data.plugins ?? []).map((plugin) => (typeof plugin === "string" ? plugin : plugin.resolve));
  if (names.some((name) => name.includes("tillkit"))) return;
  throw new CheckoutError("configuration_invalid", MISSING_PLUGIN_ENTRY);
}
