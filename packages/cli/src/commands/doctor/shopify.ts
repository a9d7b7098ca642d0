import type { CommandLine } from "../../command-line/command.ts";
import { loadPackage } from "../../command-line/load-package.ts";
import { parseConfigPath } from "../../options/config-option.ts";
import { ask } from "./ask.ts";
import { bad, type Check, careful, good } from "./check.ts";
import { checkCertificates } from "./check-certificates.ts";
import { checkLedger } from "./check-ledger.ts";
import { checkServer } from "./check-server.ts";
import { checkWebhookRoute } from "./check-webhook-route.ts";

/** Checks the app server of Shopify shops: its certificates, whether Shopify can reach its routes, its ledger, and every shop. */
export async function* shopifyChecks(args: CommandLine): AsyncGenerator<Check> {
  const configFile = parseConfigPath(args);
  const { examineShops, readShopifyConfig } = await loadPackage("@tillkit/shopify", () => import("@tillkit/shopify"));
  const { readConfigFile } = await import("@tillkit/server/config");
  const config = readShopifyConfig(await readConfigFile(configFile));
  const { publicUrl, listen, app } = config;
  yield good(
    "configuration",
    `The configuration is valid: ${app.mode} mode, version ${app.apiVersion} of Shopify's API.`,
  );
  if (listen.tls) yield* checkCertificates(listen.tls, publicUrl);
  yield* checkServer(publicUrl);
  yield await checkWebhookRoute(`${publicUrl}/shopify/webhooks`);
  if (app.mode === "offsite") yield await checkSessionRoute(`${publicUrl}/shopify/payment`);
  let ledgerAnswers = true;
  for await (const check of checkLedger({ url: config.database })) {
    yield check;
    const isAboutConnection = check.check === "ledger";
    if (isAboutConnection && check.status !== "ok") ledgerAnswers = false;
  }
  if (!ledgerAnswers) return;
  let checks = 0;
  for await (const check of examineShops(config)) {
    checks += 1;
    yield check;
  }
  if (checks === 0)
    yield careful(
      "shops",
      `No shop has installed the app. To install it, open ${publicUrl}/shopify?shop=<domain of the shop> as the shop's owner.`,
    );
}

// Shopify authenticates itself only with its client certificate. This request has no certificate, so the server must refuse it.
async function checkSessionRoute(url: string): Promise<Check> {
  const answer = await ask(url, "POST");
  if (answer?.status === 401)
    return good("sessions", `${url} refuses a payment session without Shopify's certificate.`);
  if (answer === null) return bad("sessions", `${url} does not answer.`);
  if (answer.status === 404)
    return bad("sessions", `${url} is not there: a server in offsite mode must be at publicUrl.`);
  return bad(
    "sessions",
    `${url} answers ${answer.status} to a payment session without Shopify's certificate instead of 401: check clientCertificates and the proxy.`,
  );
}
