import type { CommandLine } from "../../command-line/command.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { openService } from "../../options/service-option.ts";
import type { Check } from "./check.ts";
import { checkLedger } from "./check-ledger.ts";
import { checkServer } from "./check-server.ts";
import { checkService } from "./check-service.ts";
import { checkWebhookRoute } from "./check-webhook-route.ts";

/** The address of `--server`, without a slash at its end. */
export function parseServer({ values }: CommandLine): string {
  const server = (values.get("server") ?? "").replace(/\/+$/, "");
  if (/^https?:\/\/[^/]/.test(server) && URL.canParse(server)) return server;
  throw new UsageError(`The address of the server must look like https://shop.example, not "${server}".`);
}

/** Checks a checkout server of any platform, its endpoints at the service with `--service` or `--profile`, and its ledger with `--ledger`. */
export async function* serverChecks(args: CommandLine): AsyncGenerator<Check> {
  const server = parseServer(args);
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
