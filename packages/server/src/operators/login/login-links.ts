import { createHmac } from "node:crypto";
import { constantTimeEqual } from "@tillkit/client/webhooks";
import type { Clock, Random } from "@tillkit/core";
import { purposeKey } from "@tillkit/core/hosts";
import { serverLimits } from "../../limits.ts";
import type { EndedSessions } from "./ended-sessions.ts";

/** Links that a program prints on its own terminal, and that log an operator in once, within an hour. */
export type LoginLinks = {
  /** The code of a new link. */
  create(): string;
  /** Whether the code logs in: only the first time, in one process only. */
  redeem(code: string): Promise<boolean>;
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
  return {
    create() {
      const text = `${clock.now() + serverLimits.loginLinkLifetimeMs}.${random.uuid()}`;
      return `${text}.${sign(newest, text)}`;
    },
    async redeem(code) {
      const [, expiry = "", nonce = "", signature = ""] = /^(\d{1,15})\.([\w-]{8,64})\.([\w-]{43})$/.exec(code) ?? [];
      const isSigned = [newest, ...older].some((key) => constantTimeEqual(sign(key, `${expiry}.${nonce}`), signature));
      if (!isSigned || Number(expiry) <= clock.now()) return false;
      return await endedSessions.add(nonce, Number(expiry));
    },
  };
}

function sign(key: string, text: string): string {
  return createHmac("sha256", key).update(`link.${text}`).digest("base64url");
}
