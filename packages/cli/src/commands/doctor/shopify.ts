import type { CommandLine } from "../../command-line/command.ts";
import { loadPackage } from "../../command-line/load-package.ts";
import { parseConfigPath } from "../../options/config-option.ts";
import { ask } from "./ask.ts";
import { bad, type Check, careful, good } from "./check.ts";
import { checkCertificates } from "./check-certificates.ts";
import { checkLedger } from "./check-ledger.ts";
import { checkServer } from "./check-server.ts";
import { checkWebhookRoute } from "./check-webhook-route.ts";

/** Checks the app server of Shopify shops from outside, as Shopify sees it, its certificates, its ledger and every shop. */
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
    ledgerAnswers &&= check.check !== "ledger" || check.status === "ok";
    yield check;
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
      `No shop has installed the app: its owner opens ${publicUrl}/shopify?shop=<domain of the shop>.`,
    );
}

// Shopify's client certificate is the only authentication of a payment session, and this program has none.
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
