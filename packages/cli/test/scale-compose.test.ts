import { describe, expect, it } from "vitest";
import { closeSeconds, readScaleFiles, secretsOf, settingsOf, type Yaml } from "./scale-files.ts";

/** A variable that compose fills in when it starts. Without a value compose stops and prints "set it in secrets.env". */
const REFERENCE = /\$\{(\w+):\?set it in secrets\.env\}/g;
const CLOSE_SECONDS = closeSeconds();

describe.each(["woocommerce", "shopify"])("compose.scale.yaml of %s", (platform) => {
  const files = readScaleFiles(platform);
  const { compose, config, configVariables, text } = files;
  const { receiver, worker, pgbouncer, primary, standby } = compose.services;
  const pooler = settingsOf(text("pgbouncer/pgbouncer.ini"));
  const secrets = secretsOf(text("secrets.env.example"));

  it("two receivers and three workers run, each with its role", () => {
    expect([receiver.environment.TILLKIT_ROLE, receiver.deploy.replicas]).toEqual(["receiver", 2]);
    expect([worker.environment.TILLKIT_ROLE, worker.deploy.replicas]).toEqual(["worker", 3]);
    expect(Object.keys(compose.services)).toEqual(["receiver", "worker", "pgbouncer", "primary", "standby"]);
  });

  it("every process gets exactly the environment variables that its configuration reads, and its role", () => {
    for (const { environment } of [receiver, worker]) {
      expect(Object.keys(environment).sort()).toEqual([...configVariables, "TILLKIT_ROLE"].sort());
    }
  });

  it("each receiver has a port on this machine only, and workers have none", () => {
    const { port } = config.listen;
    const portRange = /^127\.0\.0\.1:(\d+)-(\d+):(\d+)$/;
    const [, firstPort, lastPort, containerPort] = portRange.exec(receiver.ports[0]) ?? [];
    expect(receiver.ports).toHaveLength(1);
    expect(Number(lastPort) - Number(firstPort) + 1).toBe(receiver.deploy.replicas);
    expect(Number(containerPort)).toBe(port);
    for (const service of [worker, pgbouncer, primary, standby]) expect(service.ports).toBeUndefined();
  });

  it("no secret is written in the file, and every reference is in the example of the secrets", () => {
    const named = new Set<string>();
    for (const { environment = {} } of Object.values<Yaml>(compose.services)) {
      for (const [name, value] of Object.entries<string>(environment)) {
        for (const [, word = ""] of value.matchAll(REFERENCE)) named.add(word);
        if (/KEY|SECRET|TOKEN|PASSWORD|CLIENT/.test(name)) expect(value.replace(REFERENCE, "")).toBe("");
        expect(value.replace(REFERENCE, "")).not.toMatch(/:[^@/]+@/);
      }
    }
    expect([...named].sort()).toEqual([...secrets.keys()].sort());
    for (const start of secrets.values()) expect(["", "svc_sk_test_"]).toContain(start);
  });

  it("statements go through PgBouncer in transaction mode, and LISTEN goes to PostgreSQL itself", () => {
    const { TILLKIT_DATABASE, TILLKIT_DATABASE_LISTEN } = receiver.environment;
    expect(TILLKIT_DATABASE).toMatch(new RegExp(`@pgbouncer:${pooler.get("listen_port")}/tillkit$`));
    expect(TILLKIT_DATABASE_LISTEN).toMatch(/@primary:5432\/tillkit$/);
    expect(pooler.get("pool_mode")).toBe("transaction");
    expect(pooler.get("tillkit")).toBe(`host=primary port=5432 dbname=${primary.environment.POSTGRES_DB}`);
    expect(JSON.stringify(config)).toContain('"databaseListenUrl":{"env":"TILLKIT_DATABASE_LISTEN"}');
    // With this setting the pooler would put the tables of any schema into the public one, silently.
    expect(pooler.has("ignore_startup_parameters")).toBe(false);
    expect(text("pgbouncer/start.sh")).toContain(`>${pooler.get("auth_file")}\n`);
    const connections = 12 * (receiver.deploy.replicas + worker.deploy.replicas);
    expect(Number(pooler.get("max_client_conn"))).toBeGreaterThan(connections);
  });

  it("commits wait for the standby, and a standby that took over waits for nobody", () => {
    const name = /synchronous_standby_names=(\w+)/.exec(primary.command.join(" "))?.[1] ?? "none";
    expect(text("postgres/follow-primary.sh")).toContain(`application_name=${name}"`);
    expect(text("postgres/follow-primary.sh")).toContain(`--slot=${name} `);
    expect(text("postgres/allow-standby.sh")).toContain(`pg_create_physical_replication_slot('${name}')`);
    expect(standby.image).toBe(primary.image);
    for (const part of [JSON.stringify(standby), text("postgres/follow-primary.sh"), text("postgres/allow-standby.sh")])
      expect(part).not.toContain("synchronous_standby_names");
    // The first start of the image creates the database, before any standby can follow.
    expect(primary.environment.PGOPTIONS).toBe("-c synchronous_commit=local");
  });

  it("nothing starts before what it needs, and every stop is longer than the program needs", () => {
    for (const service of [receiver, worker]) {
      expect(service.depends_on).toEqual({
        pgbouncer: { condition: "service_healthy" },
        standby: { condition: "service_healthy" },
      });
      expect(Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThan(CLOSE_SECONDS * 2);
      expect(service.read_only).toBe(true);
    }
    for (const service of [pgbouncer, primary, standby]) expect(service.healthcheck.test[0]).toBe("CMD");
  });

  it("every file that a container mounts is in the folder", () => {
    for (const { volumes = [], build } of Object.values<Yaml>(compose.services)) {
      for (const volume of volumes as string[]) {
        const [source = ""] = volume.split(":");
        if (source.startsWith("./")) expect(text(source).length).toBeGreaterThan(0);
        else expect(Object.keys(compose.volumes)).toContain(source);
      }
      if (build !== undefined) expect(text(`${build}/Dockerfile`)).toMatch(/^FROM /m);
    }
    expect(receiver.volumes[0]).toBe(`./${platform}.json:${files.imageCommand.at(-1)}:ro`);
  });
});
