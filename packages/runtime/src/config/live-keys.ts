import { variableOf } from "./variable-of.ts";

/** The mistake of a configuration that demands live keys and names a test key, as one sentence; null for another key. @param name the option */
export function testKeyMistake(name: string, apiKey: string): string | null {
  if (!apiKey.startsWith("svc_sk_test_")) return null;
  const place = variableOf(apiKey) ?? name;
  return `${place} is a test key, and requireLiveKeys is set: set a live key (svc_sk_live_…).`;
}
