import type { Clock, Log } from "@tillkit/core";
import { sameSecret } from "../same-secret.ts";
import { createLoginAttempts } from "./login-attempts.ts";
import { type OperatorReply, showOperatorPage } from "./operator-visit.ts";
import { loginPage } from "./pages/login-page.ts";
import type { Look } from "./pages/look.ts";
import type { Session, Sessions } from "./sessions.ts";

export type Shown = {
  readonly reply: OperatorReply;
  readonly shown: { readonly look: Look; readonly cookie?: string };
};

/** The way in: a token, given in a form of ours, a few times in ten minutes. */
export function createLogin({ sessions, clock, log }: { sessions: Sessions; clock: Clock; log: Log }) {
  const attempts = createLoginAttempts(clock);

  return {
    show(session: Session | null, next: string, lookOf: (session: Session) => Look): Shown {
      const begun = session ? { session } : sessions.begin(null);
      const look = lookOf(begun.session);
      if (begun.session.isOperator) return { reply: { say: "go", to: placeAfter(next, look) }, shown: { look } };
      const reply = showOperatorPage(loginPage(null, next, look));
      return { reply, shown: "cookie" in begun ? { look, cookie: begun.cookie } : { look } };
    },

    enter(
      session: Session | null,
      fields: Readonly<Record<string, string>>,
      address: string,
      look: Look,
    ): OperatorReply {
      const { token = "", form = "", next = "" } = fields;
      const again: OperatorReply = { say: "go", to: `${look.base}/login?next=${encodeURIComponent(next)}` };
      if (session === null || !sameSecret(form, session.formToken)) return again;
      if (!attempts.mayTry(address)) return showOperatorPage(loginPage("tooMany", next, look), 429);
      const known = sessions.tokenOf(token);
      if (known === null) {
        attempts.failed(address);
        log.warn("operators.login_refused");
        return showOperatorPage(loginPage("wrong", next, look), 403);
      }
      log.info("operators.logged_in");
      return { say: "go", to: placeAfter(next, look), cookie: sessions.begin(known).cookie };
    },
  };
}

// Only a page of ours: whoever made the link must not decide where an operator lands.
function placeAfter(next: string, { base }: Look): string {
  return /^\/(?![/\\])[\w./?=&%-]*$/.test(next) && next !== "/" ? `${base}${next}` : base;
}
