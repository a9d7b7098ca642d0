import { createHash, createHmac } from "node:crypto";
import { constantTimeEqual } from "@tillkit/client/webhooks";
import { type Clock, limits, type Random } from "@tillkit/core";
import { purposeKey } from "@tillkit/core/hosts";
import { serverLimits } from "../../limits.ts";
import type { OperatorToken } from "../../options/operator-options.ts";
import type { Operator } from "../pages/page-context.ts";
import type { EndedSessions } from "./ended-sessions.ts";

/** The login of one browser. Every form carries `formToken`, so that another site cannot make the browser send a form. */
export type Session = {
  readonly id: string;
  /** Whether the session was opened with a token of any role. */
  readonly isOperator: boolean;
  readonly operator: Operator;
  readonly formToken: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
};

export type Sessions = {
  /** Null when there is no session, or it expired or was logged out in any process. */
  read(cookieHeader: string | undefined): Promise<Session | null>;
  /** A session for an operator's token; with null, a session for a visitor who may log in. */
  create(token: string | null): { readonly session: Session; readonly cookie: string };
  /** A session for the owner of a shop. */
  createForOwner(owner: StoreOwner): { readonly session: Session; readonly cookie: string };
  /** Logs a session out: every process rejects its cookie from now on. Returns a Set-Cookie value that clears the cookie. */
  end(session: Session): Promise<string>;
  /** The configured token that equals this text; null when there is none. */
  findToken(text: string): string | null;
  /** The token as which a link logs in; null without tokens. */
  readonly firstToken: string | null;
};

export type SessionsOptions = {
  readonly keys: readonly [string, ...string[]];
  readonly tokens: readonly OperatorToken[];
  readonly endedSessions: EndedSessions;
  readonly clock: Clock;
  readonly random: Random;
  readonly path: string;
  readonly secure: boolean;
};

/** A person whom a shop sent. `user`: the shop's own number of the person, never a name. A `viewer` decides nothing. */
export type StoreOwner = { readonly storeId: string; readonly role: "owner" | "viewer"; readonly user: string };

const COOKIE = "tillkit_operator";
const VISITOR = "visitor";

/**
 * Sessions are signed cookies. The ledger stores only the ids of logged-out sessions until their cookies expire. Removing a token from
 * the configuration ends all sessions that were opened with it. A session's holder is the fingerprint of its token, `visitor`, or the
 * store, role and user of an owner, which no fingerprint resembles: they have dots, and stand in the cookie too.
 */
export function createSessions({
  keys,
  tokens,
  endedSessions,
  clock,
  random,
  path,
  secure,
}: SessionsOptions): Sessions {
  const allKeys = keys.map((key) => purposeKey(key, "operator"));
  const [newest = ""] = allKeys;
  const attributes = `Path=${path}; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}`;
  const operators = new Map(tokens.map((entry) => [fingerprint(textOf(entry)), operatorOf(entry)]));
  const holders = [...operators.keys(), VISITOR];

  function readSigned(cookieHeader: string): Session | null {
    const [, expiry = "", nonce = "", claims, signature = ""] = COOKIE_PATTERN.exec(cookieHeader) ?? [];
    const expiresAt = Number(expiry) * 1_000;
    if (signature === "" || !isWithinLifetime(expiresAt, serverLimits.operatorSessionLifetimeMs, clock)) return null;
    for (const key of allKeys) {
      const isHolder = (holder: string) => constantTimeEqual(sign(key, `${holder}.${expiry}.${nonce}`), signature);
      // The claims of an owner stand in the cookie; the holder of a token does not.
      const holder = (claims === undefined ? holders : [claims]).find(isHolder);
      if (holder === undefined) continue;
      const formToken = sign(key, `form.${nonce}`);
      return { id: nonce, isOperator: holder !== VISITOR, operator: operatorNamed(holder), formToken, expiresAt };
    }
    return null;
  }

  function operatorNamed(holder: string): Operator {
    return operators.get(holder) ?? readOwner(holder) ?? NOBODY;
  }

  function open(holder: string, operator: Operator) {
    const nonce = random.uuid();
    const expiry = Math.floor((clock.now() + serverLimits.operatorSessionLifetimeMs) / 1_000);
    const claims = operator.storeId === null ? "" : `.${holder}`;
    const value = `${expiry}.${nonce}${claims}.${sign(newest, `${holder}.${expiry}.${nonce}`)}`;
    const formToken = sign(newest, `form.${nonce}`);
    const session = { id: nonce, isOperator: holder !== VISITOR, operator, formToken, expiresAt: expiry * 1_000 };
    const maxAgeSeconds = serverLimits.operatorSessionLifetimeMs / 1_000;
    return { session, cookie: `${COOKIE}=${value}; Max-Age=${maxAgeSeconds}; ${attributes}` };
  }

  return {
    async read(cookieHeader = "") {
      const session = readSigned(cookieHeader);
      // A visitor's cookie gives no access, so the ledger is not read for it.
      return session?.isOperator && (await endedSessions.has(session.id)) ? null : session;
    },
    create(token) {
      const holder = token === null ? VISITOR : fingerprint(token);
      return open(holder, operators.get(holder) ?? NOBODY);
    },
    createForOwner: (owner) => open(ownerClaims(owner), operatorOfOwner(owner)),
    async end({ id, isOperator, expiresAt }) {
      if (isOperator) await endedSessions.add(id, expiresAt);
      return `${COOKIE}=; Max-Age=0; ${attributes}`;
    },
    // All tokens are compared, so that the time does not reveal which token matches.
    findToken: (text) => tokens.map(textOf).filter((token) => constantTimeEqual(token, text))[0] ?? null,
    firstToken: tokens[0] === undefined ? null : textOf(tokens[0]),
  };
}

/** Also false for what a clock ahead has dated: after the clock was set back, it would be valid until the true time has reached the wrong one. */
export function isWithinLifetime(expiresAt: number, lifetimeMs: number, clock: Clock): boolean {
  const msLeft = expiresAt - clock.now();
  return msLeft > 0 && msLeft <= lifetimeMs + limits.clockSkewMs;
}

const COOKIE_PATTERN =
  /(?:^|; ?)tillkit_operator=(\d{1,12})\.([\w-]{8,64})(?:\.((?:owner|viewer)\.[\w-]{1,64}\.\d{1,20}))?\.([\w-]{43})(?:;|$)/;

function sign(key: string, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

/** A visitor who has not logged in. */
const NOBODY: Operator = { name: null, tokenLabel: "", canDecide: false, storeId: null };

function operatorOf(entry: OperatorToken): Operator {
  const tokenLabel = `token ${fingerprint(textOf(entry)).slice(0, 6)}`;
  if (typeof entry === "string") return { name: null, tokenLabel, canDecide: true, storeId: null };
  return { name: entry.name ?? null, tokenLabel, canDecide: entry.role !== "viewer", storeId: null };
}

/** The text of an owner that is signed. Stores and users have no dots. */
export function ownerClaims({ storeId, role, user }: StoreOwner): string {
  return `${role}.${storeId}.${user}`;
}

/** The owner in a signed text; null for any other text. */
export function ownerIn(claims: string): StoreOwner | null {
  const [, role, storeId = "", user = ""] = /^(owner|viewer)\.([\w-]{1,64})\.(\d{1,20})$/.exec(claims) ?? [];
  return role === "owner" || role === "viewer" ? { role, storeId, user } : null;
}

function readOwner(claims: string): Operator | undefined {
  const owner = ownerIn(claims);
  return owner === null ? undefined : operatorOfOwner(owner);
}

/** The log of acts and the timeline name the shop's own number of the person: a name would be personal data. */
function operatorOfOwner({ storeId, role, user }: StoreOwner): Operator {
  const name = `${storeId}, user ${user}`;
  return { name, tokenLabel: name, canDecide: role === "owner", storeId };
}

function textOf(entry: OperatorToken): string {
  return typeof entry === "string" ? entry : entry.token;
}

function fingerprint(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
