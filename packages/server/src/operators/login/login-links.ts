import { createHmac } from "node:crypto";
import { constantTimeEqual } from "@tillkit/client/webhooks";
import type { Clock, Random } from "@tillkit/core";
import { purposeKey } from "@tillkit/core/hosts";
import { serverLimits } from "../../limits.ts";
import type { EndedSessions } from "./ended-sessions.ts";
import { isWithinLifetime, ownerClaims, ownerIn, type StoreOwner } from "./sessions.ts";

/**
 * Links that log in once: those that a program prints on its own terminal, within an hour, and those of a shop's owner, within a minute
 * after their click.
 */
export type LoginLinks = {
  /** The code of a new link for an operator. */
  create(): string;
  /** The code of a new link for the owner of a shop; null where a request with this id was answered before. */
  createForOwner(owner: StoreOwner, requestId: string): Promise<string | null>;
  /** Whom the code logs in: only the first time, in one process only; null for a code that was used, is old or was changed. */
  redeem(code: string): Promise<"operator" | StoreOwner | null>;
};

type LoginLinkOptions = {
  readonly keys: readonly [string, ...string[]];
  /** A code that was used is stored like a session that was logged out. */
  readonly endedSessions: EndedSessions;
  readonly clock: Clock;
  readonly random: Random;
};

export function createLoginLinks({ keys, endedSessions, clock, random }: LoginLinkOptions): LoginLinks {
  const [newest = "", ...older] = keys.map((key) => purposeKey(key, "operator"));
  const signed = (text: string) => `${text}.${sign(newest, text)}`;
  return {
    create: () => signed(`${clock.now() + serverLimits.loginLinkLifetimeMs}.${random.uuid()}`),
    async createForOwner(owner, requestId) {
      const now = clock.now();
      const isFirst = await endedSessions.add(`request ${requestId}`, now + serverLimits.ownerRequestMemoryMs);
      const expiry = now + serverLimits.ownerLinkLifetimeMs;
      return isFirst ? signed(`${expiry}.${random.uuid()}.${ownerClaims(owner)}`) : null;
    },
    async redeem(code) {
      const [, text = "", expiry = "", nonce = "", claims, signature = ""] = CODE_PATTERN.exec(code) ?? [];
      const isSigned = [newest, ...older].some((key) => constantTimeEqual(sign(key, text), signature));
      // An owner's link ends sooner.
      if (!isSigned || !isWithinLifetime(Number(expiry), serverLimits.loginLinkLifetimeMs, clock)) return null;
      const isFirst = await endedSessions.add(nonce, Number(expiry));
      return isFirst ? (claims === undefined ? "operator" : ownerIn(claims)) : null;
    },
  };
}

const CODE_PATTERN = /^((\d{1,15})\.([\w-]{8,64})(?:\.((?:owner|viewer)\.[\w-]{1,64}\.\d{1,20}))?)\.([\w-]{43})$/;

function sign(key: string, text: string): string {
  return createHmac("sha256", key).update(`link.${text}`).digest("base64url");
}
