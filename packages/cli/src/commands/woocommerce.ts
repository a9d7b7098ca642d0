import { loadPackage } from "../command-line/load-package.ts";
import { checkoutServerCommand } from "./checkout-server.ts";

export const woocommerce = checkoutServerCommand("woocommerce", "WooCommerce", async () => {
  const { recoverWooCommerce: recover, serveWooCommerce: serve } = await loadPackage(
    "@tillkit/woocommerce",
    () => import("@tillkit/woocommerce"),
  );
  return { recover, serve };
});
