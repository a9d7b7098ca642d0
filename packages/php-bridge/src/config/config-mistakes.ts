import { roleMistakes } from "@tillkit/runtime";
import { admissionOf, type BridgedConfig, type ConfiguredStore, listedStores } from "./schema.ts";
import { findStoreConflicts } from "./store-conflicts.ts";

/** What is wrong with a configuration whose settings are each valid. One sentence for each mistake. */
export function configMistakes<Store extends ConfiguredStore>(
  config: BridgedConfig & { readonly stores: readonly Store[] | "self-service" },
  backOffice: string,
  conflictsInStore?: (store: Store, here: string) => readonly string[],
): string[] {
  const { role, database, requireLiveKeys } = config;
  const stores: readonly Store[] = listedStores<Store>(config);
  const conflicts = findStoreConflicts({ stores, requireLiveKeys }, backOffice, conflictsInStore);
  return [...roleMistakes(role, database), ...conflicts, ...selfServiceMistakes(config)];
}

/** Nobody could approve, suspend or remove a shop without the operators' pages, and owners see their payments there. */
function selfServiceMistakes(config: BridgedConfig): string[] {
  if (admissionOf(config) === null || config.operators !== undefined) return [];
  return ['stores is "self-service", which needs the operators\' pages: give operators.tokens.'];
}
