import type { SandboxControl } from "../control/control.ts";
import type { Html } from "../page/html.ts";
import type { Service } from "../service/service.ts";
import type { Notice } from "./notices.ts";
import type { Tab } from "./tabs.ts";

/** Somebody looks at a page. */
export type Visit = {
  service: Service;
  control: SandboxControl;
  /** The `{id}` of the page's path; empty when it has none. */
  id: string;
  query: URLSearchParams;
};

export type View = { tab: Tab; title: string; main: Html; status?: number };

/** @throws Refusal `not_found` */
export type Show = (visit: Visit) => View | Promise<View>;

/** Somebody pressed a button. */
export type Press = Omit<Visit, "query"> & { form: URLSearchParams };

/**
 * Does what the button says and names the page that is shown then.
 * @throws Refusal with the sentence that is shown instead
 */
export type Act = (press: Press) => Promise<{ to: string; notice: Notice }>;

/** What one noun of the console can show and do, by path below the console's own. */
export type Pages = { shows: Record<string, Show>; acts?: Record<string, Act> };
