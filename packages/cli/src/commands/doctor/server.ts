import type { CommandLine } from "../../command-line/command.ts";
import { parseAddress } from "../../options/parse-address.ts";
import { openService } from "../../options/service-option.ts";
import type { Check } from "./check.ts";
import { checkLedger } from "./check-ledger.ts";
import { checkServer } from "./check-server.ts";
import { checkService } from "./check-service.ts";
import { checkWebhookRoute } from "./check-webhook-route.ts";

/** The address of `--server`, without a slash at its end. A check reports plain http, because the other checks can still run. */
export async function parseServer({ values }: CommandLine): Promise<string> {
  const { addressFault } = await import("@tillkit/client");
  const server = (values.get("server") ?? "").replace(/\/+$/, "");
  const isPlainHttp = addressFault(server, "base")?.kind === "not_https" && addressFault(server, "link") === null;
  return isPlainHttp ? server : parseAddress("--server", server, "base");
}

/** Checks a checkout server of any platform, its endpoints at the service with `--service` or `--profile`, and its ledger with `--ledger`. */
export async function* serverChecks(args: CommandLine): AsyncGenerator<Check> {
  const server = await parseServer(args);
  const client = await openService(args);
  const endpointUrls: string[] = [];
  for await (const { url, ...check } of client ? checkService(client, server) : []) {
    if (url !== undefined) endpointUrls.push(url);
    yield check;
  }
  yield* checkServer(server);
  const webhookUrl = args.values.get("webhook") ?? endpointUrls[0];
  if (webhookUrl !== undefined) yield await checkWebhookRoute(webhookUrl);
  const url = args.values.get("ledger");
  if (url !== undefined) yield* checkLedger({ url, schema: args.values.get("schema") });
}
