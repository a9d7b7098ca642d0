import type { Language, PaymentLedger } from "@tillkit/core";
import { canList, canPrune } from "@tillkit/runtime";
import type { AlertWebhookOptions, EmailOptions } from "./alerts/channels.ts";
import { isLoopback } from "./config/read-config.ts";
import { hostLimits } from "./limits.ts";

/** What the people who run the shop get. All of it is off unless named, except `retention`. */
export type OperatorOptions = {
  /** The pages at `/operators`, for whoever knows one of the tokens: 32 characters or more each. */
  readonly operators?: { readonly tokens: readonly string[] };
  /** `/metrics`, for whoever sends `Authorization: Bearer <token>`; 32 characters or more. */
  readonly metrics?: { readonly token: string };
  /** Messages about what somebody has to look at. At most one in `everyMs` (15 minutes) on each channel. */
  readonly alerts?: {
    readonly language: Language;
    readonly email?: EmailOptions;
    readonly webhook?: AlertWebhookOptions;
    readonly everyMs?: number;
  };
  /** Personal data of final payments leaves the ledger after so many days; 90 unless set, 7 at least. */
  readonly retention?: { readonly days: number } | "off";
};

/** One sentence for each mistake. */
export function operatorMistakes({
  operators,
  metrics,
  alerts,
  retention,
  ledger,
}: OperatorOptions & { readonly ledger: PaymentLedger }): string[] {
  return [
    ...(operators ? tokensMistakes(operators.tokens) : []),
    ...(metrics && isShort(metrics.token, hostLimits.keyLength)
      ? [tooShort("metrics.token", hostLimits.keyLength)]
      : []),
    ...(alerts ? alertMistakes(alerts) : []),
    ...(retention !== undefined && retention !== "off" ? retentionMistakes(retention.days, ledger) : []),
    ...viewMistakes(Object.entries({ operators, metrics, alerts }), ledger),
  ];
}

function tokensMistakes(tokens: unknown): string[] {
  if (!Array.isArray(tokens) || tokens.length === 0) {
    return ["operators.tokens is empty: give at least one, for example from `openssl rand -hex 32`."];
  }
  return tokens.flatMap((token: unknown, index) =>
    isShort(token, hostLimits.keyLength) ? [tooShort(`operators.tokens[${index}]`, hostLimits.keyLength)] : [],
  );
}

function alertMistakes({
  language,
  email,
  webhook,
  everyMs = hostLimits.alertEveryMs,
}: NonNullable<OperatorOptions["alerts"]>): string[] {
  const isWhole = Number.isSafeInteger(everyMs) && everyMs > 0;
  return [
    ...(language === "fr" || language === "en" ? [] : ['alerts.language must be "fr" or "en".']),
    ...(email || webhook ? [] : ["alerts names neither email nor webhook: give at least one."]),
    ...(isWhole ? [] : ["alerts.everyMs must be a whole number of milliseconds."]),
    ...(email && !hasScheme(email.smtpUrl, ["smtp:", "smtps:"])
      ? ["alerts.email.smtpUrl must begin with smtp:// or smtps://, such as smtps://user:password@mail.example."]
      : []),
    ...(email && !(email.from && email.to) ? ["alerts.email needs from and to: an e-mail address each."] : []),
    ...(webhook && !isSafeUrl(webhook.url)
      ? ["alerts.webhook.url must begin with https://; plain http is for this machine only (localhost)."]
      : []),
    ...(webhook && isShort(webhook.secret, hostLimits.alertSecretLength)
      ? [tooShort("alerts.webhook.secret", hostLimits.alertSecretLength)]
      : []),
  ];
}

function retentionMistakes(days: unknown, ledger: PaymentLedger): string[] {
  const isFit = typeof days === "number" && Number.isSafeInteger(days) && days >= hostLimits.leastRetentionDays;
  return [
    ...(isFit ? [] : [`retention.days must be a whole number, ${hostLimits.leastRetentionDays} or more.`]),
    ...(canPrune(ledger) ? [] : ["retention needs a ledger that can be pruned: open one with openLedger(url)."]),
  ];
}

function viewMistakes(options: readonly (readonly [string, unknown])[], ledger: PaymentLedger): string[] {
  const names = options.flatMap(([name, option]) => (option ? [name] : []));
  if (names.length === 0 || canList(ledger)) return [];
  return [
    `${names.join(", ")}: this ledger can only take and give payments, not list them. Open one with openLedger(url) of @tillkit/ledger.`,
  ];
}

function isShort(text: unknown, least: number): boolean {
  return typeof text !== "string" || text.length < least;
}

function tooShort(what: string, least: number): string {
  return `${what} is too short: use ${least} random characters or more, for example from \`openssl rand -hex 32\`.`;
}

function hasScheme(url: unknown, schemes: readonly string[]): boolean {
  return typeof url === "string" && URL.canParse(url) && schemes.includes(new URL(url).protocol);
}

function isSafeUrl(url: unknown): boolean {
  if (typeof url !== "string" || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}
