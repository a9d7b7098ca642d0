import { createHash } from "node:crypto";
import { CheckoutError } from "@tillkit/core";
import { type ReadOptions, readOptions } from "../options/options.ts";
import type { Till } from "./open-till.ts";

/**
 * Medusa builds provider, routes and plugin module in containers of their own, from two copies of the options. They share
 * one engine and one pool of connections through this place in the process, whichever copy of this file they hold.
 */
const PLACE = Symbol.for("@tillkit/medusa/till");

type Shared = {
  readonly options: ReadOptions;
  readonly print: string;
  readonly entries: Set<Entry>;
  till: Promise<Till> | null;
};

/** Where in medusa-config the options stand. */
export type Entry = "plugin" | "provider";

/**
 * Called by the plugin and by the provider at boot.
 * @throws CheckoutError `configuration_invalid` for options that are wrong, or not the same in both places
 */
export function agreeOnOptions(entry: Entry, given: Readonly<Record<string, unknown>>): void {
  // Medusa adds the connection of its own modules to what the shop wrote.
  const { database: _medusas, ...written } = given;
  const options = readOptions(written);
  const print = createHash("sha256").update(JSON.stringify(options)).digest("hex");
  const shared = placeOf();
  if (shared.value && shared.value.print !== print) {
    const message =
      "The plugin @tillkit/medusa and its payment provider have different options: give both the same object in medusa-config.";
    throw new CheckoutError("configuration_invalid", message);
  }
  shared.value ??= { options, print, entries: new Set(), till: null };
  shared.value.entries.add(entry);
}

/**
 * The one till of this process; opened by whoever asks first, and again after a failure.
 * @throws CheckoutError `configuration_invalid` without the plugin: nobody would hear webhooks, nobody would work
 */
export async function sharedTill(open: (options: ReadOptions) => Promise<Till>): Promise<Till> {
  const { value: shared } = placeOf();
  if (!shared?.entries.has("plugin")) {
    const message = 'Add { resolve: "@tillkit/medusa", options } to plugins in medusa-config, beside the provider.';
    throw new CheckoutError("configuration_invalid", message);
  }
  shared.till ??= open(shared.options).catch((error: unknown) => {
    shared.till = null;
    throw error;
  });
  return await shared.till;
}

/** At the end of a process, or of one application of a test. */
export async function closeSharedTill(): Promise<void> {
  const shared = placeOf();
  const till = shared.value?.till;
  shared.value = undefined;
  await (await till?.catch(() => null))?.close();
}

function placeOf(): { value?: Shared | undefined } {
  const places = globalThis as { [PLACE]?: { value?: Shared | undefined } };
  places[PLACE] ??= {};
  return places[PLACE];
}
