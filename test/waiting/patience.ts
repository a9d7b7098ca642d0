/**
 * How long a test waits for something that never comes. It promises nothing about speed: a busy machine may give a test a tenth of a core.
 * It is shorter than the limit of a test, so that a test that waits in vain fails with its own reason. TILLKIT_PATIENCE_MS changes it, for
 * programs that expect tests to fail.
 */
export const PATIENCE_MS = Number(process.env.TILLKIT_PATIENCE_MS ?? 240_000);
