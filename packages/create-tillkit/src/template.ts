import template from "./template.json" with { type: "json" };

/** The example of a new adapter with all its hosts, and the versions of the third-party packages with which it was tested. */
export type Template = {
  readonly files: Readonly<Record<string, string>>;
  readonly versions: Readonly<Record<string, string>>;
};

export const newAdapterTemplate: Template = template;
