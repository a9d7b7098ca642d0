import type { SandboxControl } from "../../control/control.ts";
import type { Html } from "../../pages/html.ts";
import type { Service } from "../../runtime/service.ts";
import type { FlashMessage } from "./flash-messages.ts";
import type { Tab } from "./tabs.ts";

/** A request for a page of the console. */
export type ConsolePageRequest = {
  service: Service;
  control: SandboxControl;
  /** The `{id}` in the path, or "". */
  id: string;
  query: URLSearchParams;
  /** What was typed into a form of this page that was rejected, so that the page shows it again. Empty otherwise. */
  draft: URLSearchParams;
};

/** `redirectTo`: the browser is sent to this page instead. */
export type ConsoleView = { tab: Tab | null; title: string; main: Html; status?: number; redirectTo?: string };

/** @throws ApiError `not_found` */
export type PageHandler = (request: ConsolePageRequest) => ConsoleView | Promise<ConsoleView>;

/** A submitted form or button. */
export type ActionRequest = Omit<ConsolePageRequest, "query" | "draft"> & { form: URLSearchParams };

/** The next page with its flash message. A `secret` is shown there once, in the response to the form. */
export type ActionOutcome = { to: string; flashMessage: FlashMessage; secret?: string };

/**
 * Performs the action.
 * @throws ApiError with the sentence that the page shows instead
 */
export type ActionHandler = (request: ActionRequest) => Promise<ActionOutcome>;

/** The pages and actions of one section, by path below the console. */
export type ConsoleSection = { pages: Record<string, PageHandler>; actions?: Record<string, ActionHandler> };
