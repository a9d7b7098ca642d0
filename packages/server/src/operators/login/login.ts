import { constantTimeEqual } from "@tillkit/client/webhooks";
import type { Clock, Log } from "@tillkit/core";
import type { OperatorAct, OperatorActs } from "@tillkit/core/ledger";
import { createAttemptLimit } from "../../http/attempt-limit.ts";
import { serverLimits } from "../../limits.ts";
import { type OperatorResponse, pageResponse, redirectTo } from "../handlers/operator-request.ts";
import { loginPage } from "../pages/login-page.ts";
import type { PageContext } from "../pages/page-context.ts";
import type { LoginLinks } from "./login-links.ts";
import type { Session, Sessions } from "./sessions.ts";

type LoginOptions = {
  readonly sessions: Sessions;
  readonly loginLinks: LoginLinks;
  readonly clock: Clock;
  readonly log: Log;
  /** The log of what operators did. */
  readonly acts: OperatorActs;
};

/** Operators log in with a token in our own form; after ten wrong tokens in ten minutes, their IP address has to wait. */
export function createLogin({ sessions, loginLinks, clock, log, acts }: LoginOptions) {
  const attempts = createAttemptLimit(clock, {
    maxAttempts: serverLimits.maxLoginAttempts,
    windowMs: serverLimits.loginWindowMs,
  });

  return {
    /** A visitor without a session gets a session, because the login form needs a form token. */
    open(session: Session | null): { readonly session: Session; readonly cookie?: string } {
      return session ? { session } : sessions.create(null);
    },

    show(session: Session, next: string, context: PageContext): OperatorResponse {
      // The owner of a shop that has left has a session that opens nothing, and may log in with a token.
      const isOperator = session.isOperator && session.operator.storeId === null;
      if (isOperator) return { kind: "redirect", url: urlAfterLogin(next, context) };
      return pageResponse(loginPage(null, next, context));
    },

    async logIn(
      session: Session | null,
      fields: Readonly<Record<string, string>>,
      address: string,
      context: PageContext,
    ): Promise<OperatorResponse> {
      const { token = "", form = "", next = "" } = fields;
      if (session === null || !constantTimeEqual(form, session.formToken)) {
        return redirectTo({ context }, `/login?next=${encodeURIComponent(next)}`);
      }
      if (!attempts.isAllowed(address)) return pageResponse(loginPage("tooMany", next, context), 429);
      const validToken = sessions.findToken(token);
      if (validToken === null) {
        attempts.record(address);
        log.warn("operators.login_refused");
        return pageResponse(loginPage("wrong", next, context), 403);
      }
      return await enter(sessions.create(validToken), urlAfterLogin(next, context));
    },

    /** Follows a link that logs in once; a used, old or changed link leads to the form. */
    async follow(code: string, context: PageContext): Promise<OperatorResponse> {
      const person = await loginLinks.redeem(code);
      if (person === null) return refuse(context);
      if (person !== "operator") return await enter(sessions.createForOwner(person), context.base);
      const token = sessions.firstToken;
      return token === null ? refuse(context) : await enter(sessions.create(token), context.base);
    },

    refuse,
  };

  function refuse(context: PageContext): OperatorResponse {
    return redirectTo({ context }, "/login");
  }

  async function enter(created: ReturnType<Sessions["create"]>, url: string): Promise<OperatorResponse> {
    log.info("operators.logged_in");
    await acts.recordAct(sessionAct("log_in", created.session, clock));
    return { kind: "redirect", url, cookie: created.cookie };
  }
}

/** The entry of a login or a logout in the log of acts. */
export function sessionAct(act: "log_in" | "log_out", { operator }: Session, clock: Clock): OperatorAct {
  return { at: clock.now(), by: operator.name ?? operator.tokenLabel, act, paymentId: null, detail: "" };
}

// Accepts only a path of these pages: the author of a link must not decide where an operator lands.
function urlAfterLogin(next: string, { base }: PageContext): string {
  return /^\/(?![/\\])[\w./?=&%-]*$/.test(next) && next !== "/" ? `${base}${next}` : base;
}
