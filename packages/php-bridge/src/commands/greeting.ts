import { roleLines } from "@tillkit/server";
import { endpointOf } from "../config/credentials.ts";
import { type Admission, admissionOf, type BridgedConfig, listedStores } from "../config/schema.ts";
import type { BridgedPlatform, PlatformWords } from "../platform.ts";

/** What the terminal shows after the start. @param unpaired the ids of the shops that their owners have to connect first */
export function greeting(
  platform: BridgedPlatform,
  config: BridgedConfig,
  baseUrl: string,
  unpaired: readonly string[],
): string {
  const words = platform.words("en");
  const { publicUrl, role } = config;
  const admission = admissionOf(config);
  const shops = listedStores(config).flatMap((store) => [
    `  ${store.id}   ${store.url}`,
    `      webhooks   ${publicUrl}/hooks/service/${endpointOf(store)}`,
    ...(unpaired.includes(store.id) ? connectLines(publicUrl, words) : []),
  ]);
  return [
    `The ${words.name} checkout server is running.`,
    ...roleLines(role),
    "",
    `  local    ${baseUrl}`,
    `  public   ${publicUrl}`,
    "",
    ...(admission === null ? shops : selfServiceLines(publicUrl, admission, words)),
    "",
    "Press Ctrl-C to stop.",
  ].join("\n");
}

function selfServiceLines(publicUrl: string, admission: Admission, words: PlatformWords): readonly string[] {
  return [
    `  Owners connect their shops: in ${words.backOffice}, ${words.settings.replaceAll(", ", " → ")},`,
    `      they save the checkout server address ${publicUrl} and press Connect.`,
    ...(admission === "invitation" ? [`      Create their invitation codes at ${publicUrl}/operators/shops`] : []),
    ...(admission === "approval" ? [`      Approve each shop at ${publicUrl}/operators/shops`] : []),
  ];
}

function connectLines(publicUrl: string, words: PlatformWords): readonly string[] {
  return [
    `      not connected yet. In ${words.backOffice}, open ${words.settings.replaceAll(", ", " → ")},`,
    `      save the checkout server address ${publicUrl} and press Connect.`,
  ];
}
