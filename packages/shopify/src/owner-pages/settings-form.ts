import { addressFault } from "@tillkit/client";
import type { Environment } from "@tillkit/core";
import { z } from "zod";
import type { AppMode } from "../config/config-schema.ts";
import { isSameGateway } from "../gateway-name.ts";
import { ENVIRONMENTS, type ServiceKey } from "../shops/service-keys.ts";
import type { OwnerTexts } from "../texts/owner-texts.ts";

const text = z
  .string()
  .max(400)
  .default("")
  .transform((value) => value.trim());

/** The fields of the settings page. `form` is the token of the form, `key` the dead job that is answered. */
export const settingsFormSchema = z.object({
  form: text,
  do: text,
  key: text,
  testKey: text,
  testSecret: text,
  liveKey: text,
  liveSecret: text,
  gatewayName: text,
  testGatewayName: text,
  logoUrl: text,
  color: text,
  paused: text,
});

export type SettingsForm = z.output<typeof settingsFormSchema>;

/** The key that the owner entered for an environment; empty texts where the fields are empty. */
export function enteredKey(form: SettingsForm, environment: Environment): ServiceKey {
  return environment === "test"
    ? { apiKey: form.testKey, webhookSecret: form.testSecret }
    : { apiKey: form.liveKey, webhookSecret: form.liveSecret };
}

/** One sentence for each mistake in the form. */
export function findFormMistakes(form: SettingsForm, mode: AppMode, { mistakes }: OwnerTexts): string[] {
  const found = ENVIRONMENTS.flatMap((environment) => findKeyMistakes(form, environment, mistakes));
  found.push(...findLookMistakes(form, mistakes));
  if (mode === "order") found.push(...findGatewayMistakes(form, mistakes));
  return found;
}

function findLookMistakes({ logoUrl, color }: SettingsForm, mistakes: OwnerTexts["mistakes"]): string[] {
  const fault = logoUrl === "" ? null : addressFault(logoUrl, "picture");
  const isColor = color === "" || /^#[\da-f]{6}$/i.test(color);
  return [...(fault === null ? [] : [mistakes.logo(fault)]), ...(isColor ? [] : [mistakes.color])];
}

function findGatewayMistakes(
  { gatewayName, testGatewayName }: SettingsForm,
  mistakes: OwnerTexts["mistakes"],
): string[] {
  if (gatewayName === "") return [mistakes.gateway];
  return isSameGateway(gatewayName, testGatewayName) ? [mistakes.sameGateway] : [];
}

function findKeyMistakes(form: SettingsForm, environment: Environment, mistakes: OwnerTexts["mistakes"]): string[] {
  const { apiKey, webhookSecret } = enteredKey(form, environment);
  const other = environment === "test" ? "live" : "test";
  if (apiKey === "" && webhookSecret === "") return [];
  if (apiKey === "") return [mistakes.keyMissing(environment)];
  if (apiKey.startsWith(`svc_sk_${other}_`)) return [mistakes.wrongMode(environment)];
  if (!new RegExp(`^svc_sk_${environment}_\\w{8,}$`).test(apiKey)) return [mistakes.notAKey(environment)];
  const isSecret = webhookSecret === "" || webhookSecret.startsWith("whsec_");
  return isSecret ? [] : [mistakes.notASecret(environment)];
}
