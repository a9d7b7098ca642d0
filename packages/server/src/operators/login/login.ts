import { constantTimeEqual } from "@tillkit/client/webhooks";
import type { Clock, Log } from "@tillkit/core";
import { type OperatorResponse, pageResponse, redirectTo } from "../handlers/operator-request.ts";
import { loginPage } from "../pages/login-page.ts";
import type { PageContext } from "../pages/page-context.ts";
import { createLoginAttempts } from "./login-attempts.ts";
import type { Session, Sessions } from "./sessions.ts";

/** Operators log in with a token in our own form; after ten wrong tokens in ten minutes, their address has to wait. */
export function createLogin({ sessions, clock, log }: { sessions: Sessions; clock: Clock; log: Log }) {
  const attempts = createLoginAttempts(clock);

  return {
    /** A visitor without a session gets one, because the login form needs a form token. */
    open(session: Session | null): { readonly session: Session; readonly cookie?: string } {
      return session ? { session } : sessions.create(null);
    },

    show(session: Session, next: string, context: PageContext): OperatorResponse {
      if (session.isOperator) return { kind: "redirect", url: urlAfterLogin(next, context) };
      return pageResponse(loginPage(null, next, context));
    },

    logIn(
      session: Session | null,
      fields: Readonly<Record<string, string>>,
      address: string,
      context: PageContext,
    ): OperatorResponse {
      const { token = "", form = "", next = "" } = fields;
      if (session === null || !constantTimeEqual(form, session.formToken)) {
        return redirectTo({ context }, `/login?next=${encodeURIComponent(next)}`);
      }
      if (!attempts.isAllowed(address)) return pageResponse(loginPage("tooMany", next, context), 429);
      const validToken = sessions.findToken(token);
      if (validToken === null) {
        attempts.recordFailure(address);
        log.warn("operators.login_refused");
        return pageResponse(loginPage("wrong", next, context), 403);
      }
      log.info("operators.logged_in");
      return { kind: "redirect", url: urlAfterLogin(next, context), cookie: sessions.create(validToken).cookie };
    },
  };
}

// Accepts only a path of these pages: the author of a link must not decide where an operator lands.
function urlAfterLogin(next: string, { base }: PageContext): string {
  return /^\/(?![/\\])[\w./?=&%-]*$/.test(next) && next !== "/" ? `${base}${next}` : base;
}
