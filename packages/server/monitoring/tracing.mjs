// biome-ignore-all lint/correctness/noUndeclaredDependencies: the owner of the program installs the SDK.
// Starts an SDK of OpenTelemetry before the program: NODE_OPTIONS="--import ./tracing.mjs"
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { NodeSDK } from "@opentelemetry/sdk-node";

const sdk = new NodeSDK({ serviceName: "tillkit", traceExporter: new OTLPTraceExporter() });
sdk.start();
process.once("beforeExit", () => sdk.shutdown());
