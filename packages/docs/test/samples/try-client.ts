// The end of the program of the page "Quick start: client only". client-sample.test.ts puts the program together as a reader does.
import { isPaid, openClient, openHostedPage } from "./client-sample.ts";

// #region try
const { SERVICE_SECRET_KEY = "", SERVICE_BASE_URL = "" } = process.env;
const client = openClient(SERVICE_SECRET_KEY, SERVICE_BASE_URL);
const order = { id: `try-${Date.now()}`, total: 25_000 };

const { sessionId, url } = await openHostedPage(client, order, 1);
console.log(`Open ${url} and pay with the card 4242 4242 4242 4242.`);
while (!(await isPaid(client, sessionId, order.total))) {
  await new Promise((resolve) => setTimeout(resolve, 2_000));
}
console.log(`Order ${order.id} is paid.`);
// #endregion try
