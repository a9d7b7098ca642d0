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
};

export type ConsoleView = { tab: Tab; title: string; main: Html; status?: number };

/** @throws ApiError `not_found` */
export type PageHandler = (request: ConsolePageRequest) => ConsoleView | Promise<ConsoleView>;

/** A submitted form or button. */
export type ActionRequest = Omit<ConsolePageRequest, "query"> & { form: URLSearchParams };

/**
 * Performs the action and returns the next page with its flash message.
 * @throws ApiError with the sentence that the page shows instead
 */
export type ActionHandler = (request: ActionRequest) => Promise<{ to: string; flashMessage: FlashMessage }>;

/** The pages and actions of one section, by path below the console. */
export type ConsoleSection = { pages: Record<string, PageHandler>; actions?: Record<string, ActionHandler> };
