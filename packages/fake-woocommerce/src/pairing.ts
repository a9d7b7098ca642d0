import { randomBytes } from "node:crypto";
import { errorResponse, jsonBody, type ShopRequest, type ShopResponse } from "./messages.ts";
import type { PluginSettings } from "./plugin-context.ts";

export type Pairing = {
  /** The owner's click on "Connect": a one-time code for the checkout server at this address. */
  start(checkoutServerUrl: string): string;
  /** The route `pair` of PROTOCOL.md. */
  answer(request: ShopRequest): ShopResponse;
};

export type PairingOptions = {
  readonly settings: () => PluginSettings | null;
  /** The address of the settings page in WordPress. */
  readonly settingsUrl: () => string;
  readonly save: (settings: PluginSettings) => void;
};

export function createPairing({ settings, settingsUrl, save }: PairingOptions): Pairing {
  let started: { readonly code: string; readonly checkoutServerUrl: string } | null = null;

  return {
    start(checkoutServerUrl) {
      started = { code: randomBytes(32).toString("hex"), checkoutServerUrl };
      return started.code;
    },
    answer(request) {
      const { code, store, checkout_server: server } = jsonBody(request) ?? {};
      if (
        started === null ||
        code !== started.code ||
        server !== started.checkoutServerUrl ||
        typeof store !== "string"
      ) {
        return errorResponse(403, "tillkit_pairing_refused", "This connection has expired or was already made.");
      }
      const previousLinkSecret = settings()?.linkSecret;
      const linkSecret = randomBytes(32).toString("hex");
      const { checkoutServerUrl } = started;
      // The code is valid once.
      started = null;
      save({ checkoutServerUrl, storeId: store, linkSecret, ...(previousLinkSecret ? { previousLinkSecret } : {}) });
      const facts = { name: "Chez Awa", currency: "XOF", version: "0.1.0" };
      const body = { protocol: 1, store, link_secret: linkSecret, settings_url: settingsUrl(), ...facts };
      return { status: 200, body };
    },
  };
}
