import type { Environment } from "@tillkit/core";

const ENVIRONMENTS: readonly Environment[] = ["live", "test"];

/** The environments to look up in an index that begins with the environment: the given one, or both. */
export function environmentsOf(environment: Environment | undefined): readonly Environment[] {
  return environment === undefined ? ENVIRONMENTS : [environment];
}
