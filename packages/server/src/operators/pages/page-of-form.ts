/**
 * The page of each form whose address has none. A form may answer with a page, such as a new invitation code or an error; the links of
 * that page to the other language and mode, and a tab that the browser opens again, ask for the address of the form.
 */
export const PAGE_OF_FORM: Readonly<Record<string, string>> = {
  "/payments/:id/refund/confirm": "/payments/:id/refund",
  "/installations": "/",
  "/jobs/:id/retry": "/dead",
  "/jobs/:id/recorded": "/dead",
  "/jobs/retry-all": "/dead",
  "/endpoints/:id/test": "/endpoints",
  "/shops/invite": "/shops",
  "/invitations/:id/withdraw": "/shops",
  "/shops/:id/:act": "/shops",
};
