import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { closeSeconds, objectOf, readScaleFiles, secretsOf, type Yaml } from "./scale-files.ts";

/** The kinds of Kubernetes objects that the manifests may contain, and the paths of the fields that each needs at least. */
const REQUIRED: Readonly<Record<string, { readonly apiVersion: string; readonly fields: readonly string[] }>> = {
  Deployment: {
    apiVersion: "apps/v1",
    fields: ["metadata.name", "spec.replicas", "spec.selector.matchLabels", "spec.template.spec.containers"],
  },
  Service: { apiVersion: "v1", fields: ["metadata.name", "spec.selector", "spec.ports"] },
  PodDisruptionBudget: { apiVersion: "policy/v1", fields: ["metadata.name", "spec.selector.matchLabels"] },
};
const CLOSE_SECONDS = closeSeconds();
const ROLES = ["receiver", "worker"] as const;

describe.each(["woocommerce", "shopify"])("the Kubernetes manifests of %s", (platform) => {
  const files = readScaleFiles(platform);
  const { objects, kustomization, config, configVariables, text } = files;
  const deployment = (role: string) => objectOf(files, "Deployment", `tillkit-${role}`);
  const containerOf = (role: string): Yaml => deployment(role).spec.template.spec.containers[0];

  it("every object has a known kind with its version and its fields", () => {
    expect(objects).toHaveLength(5);
    for (const object of objects) {
      const rule = REQUIRED[object.kind];
      expect(object.apiVersion).toBe(rule?.apiVersion);
      for (const path of rule?.fields ?? []) {
        const value = path.split(".").reduce((part: Yaml, field) => part?.[field], object);
        expect([object.kind, path, value === undefined]).toEqual([object.kind, path, false]);
      }
    }
  });

  it("kustomize applies every manifest, with the configuration that the containers mount", () => {
    const manifests = readdirSync(join(files.folder, "kubernetes")).map((name) => `kubernetes/${name}`);
    expect(kustomization.resources.toSorted()).toEqual(manifests.sort());
    const [generated] = kustomization.configMapGenerator;
    expect(generated.files).toEqual([`${platform}.json`]);
    for (const role of ROLES) {
      const { volumes } = deployment(role).spec.template.spec;
      expect(volumes).toEqual([{ name: "config", configMap: { name: generated.name } }]);
      const [{ mountPath }] = containerOf(role).volumeMounts;
      expect(`${mountPath}/${platform}.json`).toBe(files.imageCommand.at(-1));
    }
  });

  it("two receivers and three workers run, and selectors find the pods of their own role only", () => {
    for (const [role, replicas] of [
      ["receiver", 2],
      ["worker", 3],
    ] as const) {
      const { spec } = deployment(role);
      expect(spec.replicas).toBe(replicas);
      const labels = spec.template.metadata.labels;
      expect(spec.selector.matchLabels).toEqual(labels);
      expect(labels["app.kubernetes.io/component"]).toBe(role);
      expect(objectOf(files, "PodDisruptionBudget", `tillkit-${role}`).spec.selector.matchLabels).toEqual(labels);
    }
    const services = objects.filter(({ kind }) => kind === "Service");
    expect(services).toHaveLength(1);
    expect(services[0].spec.selector).toEqual(deployment("receiver").spec.template.metadata.labels);
  });

  it("a disruption budget keeps one process running and lets a node be drained", () => {
    for (const role of ROLES) {
      const { minAvailable = 0, maxUnavailable } = objectOf(files, "PodDisruptionBudget", `tillkit-${role}`).spec;
      const { replicas } = deployment(role).spec;
      const mayStop = maxUnavailable ?? replicas - minAvailable;
      expect(mayStop).toBeGreaterThanOrEqual(1);
      expect(replicas - mayStop).toBeGreaterThanOrEqual(1);
    }
  });

  it("the Kubernetes service, the probes, the container and the configuration name the same port", () => {
    const [port] = objectOf(files, "Service", "tillkit-receiver").spec.ports;
    for (const role of ROLES) {
      const container = containerOf(role);
      expect(container.ports).toEqual([{ name: port.targetPort, containerPort: config.listen.port }]);
      for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"])
        expect(container[probe].httpGet.port).toBe(port.targetPort);
    }
  });

  it("a database that is down makes no process restart, and takes the traffic away", () => {
    for (const role of ROLES) {
      const container = containerOf(role);
      expect(container.livenessProbe.httpGet.path).toBe("/livez");
      expect(container.startupProbe.httpGet.path).toBe("/livez");
      expect(container.readinessProbe.httpGet.path).toBe("/readyz");
    }
  });

  it("a stopping process has time to leave the load balancer and to finish its work", () => {
    for (const role of ROLES) {
      const preStopSeconds = Number(containerOf(role).lifecycle?.preStop.exec.command[1] ?? 0);
      const { terminationGracePeriodSeconds } = deployment(role).spec.template.spec;
      expect(terminationGracePeriodSeconds).toBeGreaterThan(preStopSeconds + CLOSE_SECONDS);
    }
    expect(containerOf("receiver").lifecycle.preStop.exec.command).toEqual(["sleep", "5"]);
  });

  it("secrets come by reference only, and every environment variable that the configuration reads is set", () => {
    const secrets = secretsOf(text("kubernetes.env.example"));
    for (const role of ROLES) {
      const { env, envFrom } = containerOf(role);
      expect(env).toEqual([
        { name: "TILLKIT_ROLE", value: role },
        { name: "TILLKIT_HOST", value: "0.0.0.0" },
      ]);
      expect(envFrom).toEqual([{ secretRef: { name: "tillkit" } }]);
      expect([...secrets.keys(), "TILLKIT_HOST"].sort()).toEqual([...configVariables].sort());
    }
    for (const start of secrets.values()) expect(["", "svc_sk_test_", "postgres://"]).toContain(start);
    expect(objects.map(({ kind }) => kind)).not.toContain("Secret");
  });

  it("no process runs as root, gains rights or writes to its image", () => {
    for (const role of ROLES) {
      const { securityContext, automountServiceAccountToken } = deployment(role).spec.template.spec;
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
      expect(automountServiceAccountToken).toBe(false);
      expect(containerOf(role).securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    }
  });
});
