import type { HostConfig } from "./host-config.ts";

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
