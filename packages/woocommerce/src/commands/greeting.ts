import { roleLines } from "@tillkit/server";
import { endpointOf } from "../config/credentials.ts";
import { type Admission, admissionOf, listedStores, type WooCommerceConfig } from "../config/schema.ts";

/** What the terminal shows after the start. @param unpaired the ids of the shops that their owners have to connect first */
export function greeting(config: WooCommerceConfig, baseUrl: string, unpaired: readonly string[]): string {
  const { publicUrl, role } = config;
  const admission = admissionOf(config);
  const shops = listedStores(config).flatMap((store) => [
    `  ${store.id}   ${store.url}`,
    `      webhooks   ${publicUrl}/hooks/service/${endpointOf(store)}`,
    ...(unpaired.includes(store.id) ? connectLines(publicUrl) : []),
  ]);
  return [
    "The WooCommerce checkout server is running.",
    ...roleLines(role),
    "",
    `  local    ${baseUrl}`,
    `  public   ${publicUrl}`,
    "",
    ...(admission === null ? shops : selfServiceLines(publicUrl, admission)),
    "",
    "Press Ctrl-C to stop.",
  ].join("\n");
}

function selfServiceLines(publicUrl: string, admission: Admission): readonly string[] {
  return [
    "  Owners connect their shops: in WordPress, WooCommerce → Settings → Payments → Tillkit,",
    `      they save the checkout server address ${publicUrl} and press Connect.`,
    ...(admission === "invitation" ? [`      Create their invitation codes at ${publicUrl}/operators/shops`] : []),
    ...(admission === "approval" ? [`      Approve each shop at ${publicUrl}/operators/shops`] : []),
  ];
}

function connectLines(publicUrl: string): readonly string[] {
  return [
    "      not connected yet. In WordPress, open WooCommerce → Settings → Payments → Tillkit,",
    `      save the checkout server address ${publicUrl} and press Connect.`,
  ];
}
