import { loadPackage } from "../command-line/load-package.ts";
import { checkoutServerCommand } from "./checkout-server.ts";

export const prestashop = checkoutServerCommand("prestashop", "PrestaShop", async () => {
  const { recoverPrestaShop: recover, servePrestaShop: serve } = await loadPackage(
    "@tillkit/prestashop",
    () => import("@tillkit/prestashop"),
  );
  return { recover, serve };
});
