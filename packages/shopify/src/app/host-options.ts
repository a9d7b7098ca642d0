import type { ShopifyConfig } from "../config/config.ts";

/** What the configuration says about the host of the checkout. An option that is not set is left out: being there counts. */
export function hostOptions(config: ShopifyConfig) {
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

function withoutGaps({ language, email, webhook, everyMs }: NonNullable<ShopifyConfig["alerts"]>) {
  return {
    language,
    ...(email ? { email } : {}),
    ...(webhook ? { webhook } : {}),
    ...(everyMs === undefined ? {} : { everyMs }),
  };
}
