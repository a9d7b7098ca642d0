import { createHash, createHmac } from "node:crypto";
import { type Clock, purposeKey, type Random } from "@tillkit/core";
import { hostLimits } from "../limits.ts";
import { sameSecret } from "../same-secret.ts";
import type { EndedSessions } from "./ended-sessions.ts";

/** A browser that was here before. `formToken` ties every form to it: no other site can send one in its name. */
export type Session = {
  readonly id: string;
  readonly isOperator: boolean;
  readonly formToken: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
};

export type Sessions = {
  /** Null: no session, one that is over, or one that was logged out in any process. */
  read(cookieHeader: string | undefined): Promise<Session | null>;
  /** For somebody who gave a right token, or, without one, for a visitor who may log in. */
  begin(token: string | null): { readonly session: Session; readonly cookie: string };
  /** Logs a session out: no copy of its cookie is accepted by any process any more. Answers the cookie that clears the browser's. */
  end(session: Session): Promise<string>;
  /** The token of the configuration that this text is, null when it is none. */
  tokenOf(text: string): string | null;
};

export type SessionsOptions = {
  readonly keys: readonly [string, ...string[]];
  readonly tokens: readonly string[];
  readonly ended: EndedSessions;
  readonly clock: Clock;
  readonly random: Random;
  readonly path: string;
  readonly secure: boolean;
};

const COOKIE = "tillkit_operator";
const VISITOR = "visitor";

/**
 * Signed cookies; the ledger keeps only the ids of sessions that were logged out, until their cookies expire. A session is
 * tied to the token it was opened with: taking the token out of the configuration ends it.
 */
export function createSessions({ keys, tokens, ended, clock, random, path, secure }: SessionsOptions): Sessions {
  const all = keys.map((key) => purposeKey(key, "operator"));
  const [newest = ""] = all;
  const attributes = `Path=${path}; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}`;
  const holders = [...tokens.map(fingerprint), VISITOR];

  function readSigned(cookieHeader: string): Session | null {
    const [, expiry = "", nonce = "", found = ""] = COOKIE_PATTERN.exec(cookieHeader) ?? [];
    const expiresAt = Number(expiry) * 1_000;
    if (found === "" || expiresAt <= clock.now()) return null;
    for (const key of all) {
      for (const holder of holders) {
        if (!sameSecret(sign(key, `${holder}.${expiry}.${nonce}`), found)) continue;
        return { id: nonce, isOperator: holder !== VISITOR, formToken: sign(key, `form.${nonce}`), expiresAt };
      }
    }
    return null;
  }

  return {
    async read(cookieHeader = "") {
      const session = readSigned(cookieHeader);
      // A visitor's cookie opens nothing: it costs no look into the ledger.
      return session?.isOperator && (await ended.has(session.id)) ? null : session;
    },
    begin(token) {
      const nonce = random.uuid();
      const expiry = Math.floor((clock.now() + hostLimits.operatorSessionMs) / 1_000);
      const holder = token === null ? VISITOR : fingerprint(token);
      const value = `${expiry}.${nonce}.${sign(newest, `${holder}.${expiry}.${nonce}`)}`;
      const formToken = sign(newest, `form.${nonce}`);
      const session = { id: nonce, isOperator: token !== null, formToken, expiresAt: expiry * 1_000 };
      const life = hostLimits.operatorSessionMs / 1_000;
      return { session, cookie: `${COOKIE}=${value}; Max-Age=${life}; ${attributes}` };
    },
    async end({ id, isOperator, expiresAt }) {
      if (isOperator) await ended.add(id, expiresAt);
      return `${COOKIE}=; Max-Age=0; ${attributes}`;
    },
    // Every one is compared, so that the time tells nothing.
    tokenOf: (text) => tokens.filter((token) => sameSecret(token, text))[0] ?? null,
  };
}

const COOKIE_PATTERN = /(?:^|; ?)tillkit_operator=(\d{1,12})\.([\w-]{8,64})\.([\w-]{43})(?:;|$)/;

function sign(key: string, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

function fingerprint(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
