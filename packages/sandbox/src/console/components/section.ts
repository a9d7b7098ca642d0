import type { SandboxControl } from "../../control/control.ts";
import type { Html } from "../../pages/html.ts";
import type { Service } from "../../runtime/service.ts";
import type { FlashMessage } from "./flash-messages.ts";
import type { Tab } from "./tabs.ts";

/** Somebody looks at a page. */
export type ConsolePageRequest = {
  service: Service;
  control: SandboxControl;
  /** The `{id}` of the page's path; empty when it has none. */
  id: string;
  query: URLSearchParams;
};

export type ConsoleView = { tab: Tab; title: string; main: Html; status?: number };

/** @throws Refusal `not_found` */
export type PageHandler = (request: ConsolePageRequest) => ConsoleView | Promise<ConsoleView>;

/** Somebody pressed a button. */
export type ActionRequest = Omit<ConsolePageRequest, "query"> & { form: URLSearchParams };

/**
 * Does what the button says and names the page that is shown then.
 * @throws Refusal with the sentence that is shown instead
 */
export type ActionHandler = (request: ActionRequest) => Promise<{ to: string; flashMessage: FlashMessage }>;

/** What one noun of the console can show and do, by path below the console's own. */
export type ConsoleSection = { pages: Record<string, PageHandler>; actions?: Record<string, ActionHandler> };
