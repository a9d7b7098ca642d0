import type { RequestListener } from "node:http";
import type { Log } from "@tillkit/core";
import express, { type Router } from "express";
import { refuseUnreadable } from "./refuse-unreadable.ts";

/** An app with these routes, under the path of the public address and at the root: some hosts remove that path from the URL, and some do not. */
export function createFetchApp(basePath: string, router: Router, log: Log): RequestListener {
  const app = express().disable("x-powered-by");
  if (basePath !== "") app.use(basePath, router);
  return app.use(router, refuseUnreadable(log));
}
