/** The public address of the app server. `tillkit shopify init` writes it. */
export const APP_URL = "https://pay.example.com";
