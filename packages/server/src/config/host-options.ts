import type { HostConfig } from "./host-config.ts";

/** Converts a configuration to options of `createCheckoutServer`. Omits unset options: an option that is present enables its feature. */
export function hostOptionsOf(config: HostConfig) {
  const { publicUrl, role, keys, amountUnit, autoRefund, operators, metrics, alerts, retention } = config;
  return {
    publicUrl,
    role,
    keys,
    amountUnit,
    autoRefund,
    ...(operators === undefined ? {} : { operators }),
    ...(metrics === undefined ? {} : { metrics }),
    ...(alerts === undefined ? {} : { alerts: omitUnset(alerts) }),
    ...(retention === undefined ? {} : { retention }),
  };
}

function omitUnset({ language, email, webhook, everyMs }: NonNullable<HostConfig["alerts"]>) {
  return {
    language,
    ...(email === undefined ? {} : { email }),
    ...(webhook === undefined ? {} : { webhook }),
    ...(everyMs === undefined ? {} : { everyMs }),
  };
}
