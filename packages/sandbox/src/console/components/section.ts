import type { SandboxControl } from "../../control/control.ts";
import type { Html } from "../../pages/html.ts";
import type { Service } from "../../runtime/service.ts";
import type { ConsoleTexts, FlashMessage } from "../texts/texts.ts";
import type { Tab } from "./tabs.ts";

/** What every part of a page is made from: the data of the service and the texts in the reader's language. */
export type PageContext = { service: Service; texts: ConsoleTexts };

/** A request for a page of the console. */
export type ConsolePageRequest = PageContext & {
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
 * @throws FormProblem with a sentence in the reader's language that the page shows instead
 * @throws ApiError as the API answers
 */
export type ActionHandler = (request: ActionRequest) => Promise<ActionOutcome>;

/** What a person sent that the console cannot use, as a sentence in the language of the page. */
export class FormProblem extends Error {
  override readonly name = "FormProblem";
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

/** The pages and actions of one section, by path below the console. */
export type ConsoleSection = { pages: Record<string, PageHandler>; actions?: Record<string, ActionHandler> };
