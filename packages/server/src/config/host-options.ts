import type { HostConfig } from "./host-config.ts";

/** Converts a configuration to options of `createCheckoutServer`. Omits unset keys: a present key enables the feature. */
export function hostOptionsOf(config: HostConfig) {
  const { publicUrl, role, keys, amountUnit, autoRefund, operators, metrics, alerts, retention } = config;
  return {
    publicUrl,
    role,
    keys,
    amountUnit,
    autoRefund,
    ...(operators ? { operators } : {}),
    ...(metrics ? { metrics } : {}),
    ...(alerts ? { alerts: omitUnset(alerts) } : {}),
    ...(retention === undefined ? {} : { retention }),
  };
}

function omitUnset({ language, email, webhook, everyMs }: NonNullable<HostConfig["alerts"]>) {
  return {
    language,
    ...(email ? { email } : {}),
    ...(webhook ? { webhook } : {}),
    ...(everyMs === undefined ? {} : { everyMs }),
  };
}
