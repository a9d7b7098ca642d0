import { createHash } from "node:crypto";
import { CheckoutError } from "@tillkit/core";
import { type ResolvedOptions, readOptions } from "../options/options.ts";
import { MISSING_PLUGIN_ENTRY } from "../options/plugin-entry.ts";
import type { CheckoutRuntime } from "./open-runtime.ts";

/**
 * Medusa loads provider, routes and plugin module in separate containers, from two copies of the options, and may load this
 * file more than once. All of these share one engine and one connection pool through this key of `globalThis`.
 */
const SHARED_KEY = Symbol.for("@tillkit/medusa/runtime");

type Shared = {
  readonly options: ResolvedOptions;
  /** A digest of the options, to compare them with those of the other entry. */
  readonly fingerprint: string;
  /** The entries that have registered these options so far. */
  readonly sources: Set<OptionsSource>;
  /** Null until it is opened for the first time, and after it could not be opened. */
  runtime: Promise<CheckoutRuntime> | null;
};

/** The entry of medusa-config that the options come from. */
export type OptionsSource = "plugin" | "provider";

/**
 * Called by the plugin and by the provider at boot.
 * @throws CheckoutError `configuration_invalid` when the options are invalid, or differ between the two entries
 */
export function registerOptions(source: OptionsSource, given: Readonly<Record<string, unknown>>): void {
  // Medusa adds its own database connection to the options of a module.
  const { database: _medusaDatabase, ...written } = given;
  const options = readOptions(written);
  const fingerprint = createHash("sha256").update(JSON.stringify(options)).digest("hex");
  const slot = sharedSlot();
  if (slot.value && slot.value.fingerprint !== fingerprint) {
    const message =
      "The plugin @tillkit/medusa and its payment provider have different options: give both the same object in medusa-config.";
    throw new CheckoutError("configuration_invalid", message);
  }
  slot.value ??= { options, fingerprint, sources: new Set(), runtime: null };
  slot.value.sources.add(source);
}

/**
 * The one runtime of this process. The first call opens it; after a failure the next call tries again.
 * @throws CheckoutError `configuration_invalid` without the plugin entry: no route would receive webhooks, no timer would run
 */
export async function openSharedRuntime(
  open: (options: ResolvedOptions) => Promise<CheckoutRuntime>,
): Promise<CheckoutRuntime> {
  const { value: shared } = sharedSlot();
  if (!shared?.sources.has("plugin")) {
    throw new CheckoutError("configuration_invalid", MISSING_PLUGIN_ENTRY);
  }
  shared.runtime ??= open(shared.options).catch((error: unknown) => {
    shared.runtime = null;
    throw error;
  });
  return await shared.runtime;
}

/** Called when the process ends; tests call it after each application. */
export async function closeSharedRuntime(): Promise<void> {
  const slot = sharedSlot();
  const opening = slot.value?.runtime;
  slot.value = undefined;
  // A runtime that could not be opened has nothing to close.
  const runtime = await opening?.catch(() => null);
  await runtime?.close();
}

function sharedSlot(): { value?: Shared | undefined } {
  const holder = globalThis as { [SHARED_KEY]?: { value?: Shared | undefined } };
  holder[SHARED_KEY] ??= {};
  return holder[SHARED_KEY];
}
