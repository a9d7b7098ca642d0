import { parseUrl } from "@tillkit/client";
import { type PaymentLedger, safeText } from "@tillkit/core";
import { canList, canPrune } from "@tillkit/runtime";
import { serverLimits } from "../limits.ts";
import { addressMistakes, lengthMistakes } from "./mistake-sentences.ts";
import type { OperatorOptions } from "./operator-options.ts";

/** One sentence for each mistake. */
export function operatorMistakes({
  operators,
  metrics,
  alerts,
  retention,
  ledger,
}: OperatorOptions & { readonly ledger: PaymentLedger }): string[] {
  return [
    ...(operators ? tokenMistakes(operators.tokens) : []),
    ...(metrics ? lengthMistakes(metrics.token, "metrics.token", serverLimits.minKeyLength) : []),
    ...(alerts ? alertMistakes(alerts) : []),
    ...(retention !== undefined && retention !== "off" ? retentionMistakes(retention.days, ledger) : []),
    ...listMistakes(Object.entries({ operators, metrics, alerts }), ledger),
  ];
}

function tokenMistakes(tokens: unknown): string[] {
  if (!Array.isArray(tokens) || tokens.length === 0) {
    return ["operators.tokens is empty: give at least one, for example from `openssl rand -hex 32`."];
  }
  return tokens.flatMap((entry: unknown, index) => tokenMistake(entry, `operators.tokens[${index}]`));
}

function tokenMistake(entry: unknown, path: string): string[] {
  if (typeof entry !== "object" || entry === null) return lengthMistakes(entry, path, serverLimits.minKeyLength);
  const { token, name, role } = entry as { token?: unknown; name?: unknown; role?: unknown };
  const mistakes = lengthMistakes(token, `${path}.token`, serverLimits.minKeyLength);
  const isRole = role === undefined || role === "operator" || role === "viewer";
  if (!isRole) mistakes.push(`${path}.role must be "operator" or "viewer".`);
  if (name !== undefined && !isOperatorName(name)) {
    mistakes.push(
      `${path}.name must have 1 to ${serverLimits.maxOperatorNameLength} characters, without an e-mail or a phone.`,
    );
  }
  return mistakes;
}

// The name stays in the timeline and in the log of acts.
function isOperatorName(name: unknown): boolean {
  if (typeof name !== "string" || name.trim() === "" || name.length > serverLimits.maxOperatorNameLength) return false;
  return safeText(name) === name;
}

function alertMistakes({
  language,
  email,
  webhook,
  everyMs = serverLimits.alertIntervalMs,
}: NonNullable<OperatorOptions["alerts"]>): string[] {
  const mistakes: string[] = [];
  if (language !== "fr" && language !== "en") mistakes.push('alerts.language must be "fr" or "en".');
  if (!email && !webhook) mistakes.push("alerts names neither email nor webhook: give at least one.");
  const isWhole = Number.isSafeInteger(everyMs) && everyMs > 0;
  if (!isWhole) mistakes.push("alerts.everyMs must be a whole number of milliseconds.");
  if (email && !isSmtpUrl(email.smtpUrl)) {
    mistakes.push(
      "alerts.email.smtpUrl must begin with smtp:// or smtps://, such as smtps://user:password@mail.example.",
    );
  }
  if (email && !(email.from && email.to)) mistakes.push("alerts.email needs from and to: an e-mail address each.");
  if (webhook) {
    mistakes.push(...addressMistakes(webhook.url, "alerts.webhook.url", "page"));
    mistakes.push(...lengthMistakes(webhook.secret, "alerts.webhook.secret", serverLimits.minAlertSecretLength));
  }
  return mistakes;
}

function isSmtpUrl(url: unknown): boolean {
  return typeof url === "string" && ["smtp:", "smtps:"].includes(parseUrl(url)?.protocol ?? "");
}

function retentionMistakes(days: unknown, ledger: PaymentLedger): string[] {
  const isValid = typeof days === "number" && Number.isSafeInteger(days) && days >= serverLimits.minRetentionDays;
  return [
    ...(isValid ? [] : [`retention.days must be a whole number, ${serverLimits.minRetentionDays} or more.`]),
    ...(canPrune(ledger) ? [] : ["retention needs a ledger that can be pruned: open one with openLedger(url)."]),
  ];
}

function listMistakes(options: readonly (readonly [string, unknown])[], ledger: PaymentLedger): string[] {
  const names = options.flatMap(([name, option]) => (option ? [name] : []));
  if (names.length === 0 || canList(ledger)) return [];
  return [
    `${names.join(", ")}: this ledger cannot list its payments. Open one with openLedger(url) of @tillkit/ledger.`,
  ];
}
