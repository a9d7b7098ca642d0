import type { AmountUnit, GiveBack, Language } from "@tillkit/core";
import type { CheckoutServerOptions } from "../checkout-options.ts";

/** What a checked configuration file says about the host of a checkout. */
export type HostConfig = {
  readonly publicUrl: string;
  readonly keys: readonly string[];
  readonly amountUnit: AmountUnit;
  readonly giveBack: readonly GiveBack[];
  readonly operators?: CheckoutServerOptions["operators"] | undefined;
  readonly metrics?: CheckoutServerOptions["metrics"] | undefined;
  readonly alerts?:
    | {
        readonly language: Language;
        readonly email?: { readonly smtpUrl: string; readonly from: string; readonly to: string } | undefined;
        readonly webhook?: { readonly url: string; readonly secret: string } | undefined;
        readonly everyMs?: number | undefined;
      }
    | undefined;
  readonly retention?: CheckoutServerOptions["retention"] | undefined;
};

/** That part of a configuration as options of `createCheckoutServer`. What is not set is left out: being there counts. */
export function hostOptionsOf(config: HostConfig) {
  const { publicUrl, keys, amountUnit, giveBack, operators, metrics, alerts, retention } = config;
  return {
    publicUrl,
    keys,
    amountUnit,
    giveBack,
    ...(operators ? { operators } : {}),
    ...(metrics ? { metrics } : {}),
    ...(alerts ? { alerts: withoutGaps(alerts) } : {}),
    ...(retention === undefined ? {} : { retention }),
  };
}

function withoutGaps({ language, email, webhook, everyMs }: NonNullable<HostConfig["alerts"]>) {
  return {
    language,
    ...(email ? { email } : {}),
    ...(webhook ? { webhook } : {}),
    ...(everyMs === undefined ? {} : { everyMs }),
  };
}
