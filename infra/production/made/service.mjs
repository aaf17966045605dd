import { REPLICAS_MAX } from '@cord/contracts/events/streams';
import { SHUTDOWN_MS_MAX } from '@cord/kit/bounds';
import { secretsOf } from '../../dev/starter/services.mjs';
import { labelsOf, SECRETS, SERVICE_OPS_PORT, SERVICE_PORT, USER } from './names.mjs';

/** From unready to closed: twice the period of the readiness probe and a little, s. DRAIN_MS says it to the process. */
const READINESS_PERIOD_S = 5;
export const DRAIN_MS = 2 * READINESS_PERIOD_S * 1000;
/** What a loaded machine may take longer, ms. */
const GRACE_MS = 6_000;
export const GRACE_S = Math.ceil((DRAIN_MS + SHUTDOWN_MS_MAX + GRACE_MS) / 1000);
const STARTUP = { periodSeconds: 5, failureThreshold: 60 };

/** Two of each at least, so that one may go; the board's memory grows with its users (services/leaderboard), notices draws cards with many fonts. */
const REPLICAS_MIN = 2;
const MEMORY = { leaderboard: '1Gi', mining: '768Mi', notices: '512Mi' };
const MEMORY_DEFAULT = '384Mi';
const CPU_TARGET_PERCENT = 70;

const probe = (path) => ({ httpGet: { path, port: 'ops' } });

/** What no process of ours may do. */
export const CONTAINER_SECURITY = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};
export const POD_SECURITY = {
  runAsNonRoot: true,
  runAsUser: USER,
  runAsGroup: USER,
  fsGroup: USER,
  seccompProfile: { type: 'RuntimeDefault' },
};

/** One on each machine, and in each zone, as far as there are any. */
export function spread(name) {
  return ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: labelsOf(name) },
  }));
}

/**
 * A service in Kubernetes. A stateful set, though it keeps nothing: its pods have numbers, and a replica of a service has one (CORD_REPLICA) that
 * no other has at the same time.
 * @param {string} name
 * @returns {object[]}
 */
export function serviceObjects(name) {
  const labels = labelsOf(name);
  const metadata = { name, labels };
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      // Without an address of its own: the gateway sees each replica, and chooses.
      spec: {
        clusterIP: 'None',
        selector: labels,
        ports: [
          { name: 'http', port: SERVICE_PORT, targetPort: 'http' },
          { name: 'ops', port: SERVICE_OPS_PORT, targetPort: 'ops' },
        ],
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata,
      spec: {
        serviceName: name,
        podManagementPolicy: 'Parallel',
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: podSpec(name) },
      },
    },
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata,
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'StatefulSet', name },
        minReplicas: REPLICAS_MIN,
        maxReplicas: REPLICAS_MAX,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: CPU_TARGET_PERCENT } },
          },
        ],
      },
    },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata,
      spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
    },
  ];
}

function podSpec(name) {
  const memory = MEMORY[name] ?? MEMORY_DEFAULT;
  const files = secretsOf(name).map((secret) => ({ name: `${secret}_FILE`, value: `${SECRETS}/own/${secret}` }));
  return {
    automountServiceAccountToken: false,
    // A service of ours would else set a CORD_ variable that none knows, which stops a start.
    enableServiceLinks: false,
    terminationGracePeriodSeconds: GRACE_S,
    securityContext: POD_SECURITY,
    topologySpreadConstraints: spread(name),
    containers: [
      {
        name,
        image: `cord/${name}`,
        ports: [
          { name: 'http', containerPort: SERVICE_PORT },
          { name: 'ops', containerPort: SERVICE_OPS_PORT },
        ],
        envFrom: [{ configMapRef: { name: 'cord' } }, { configMapRef: { name: `cord-${name}`, optional: true } }],
        env: [
          {
            name: 'CORD_REPLICA',
            valueFrom: { fieldRef: { fieldPath: "metadata.labels['apps.kubernetes.io/pod-index']" } },
          },
          ...files,
          { name: 'NODE_EXTRA_CA_CERTS', value: `${SECRETS}/ca/ca.crt` },
        ],
        startupProbe: { ...probe('/readyz'), ...STARTUP },
        livenessProbe: { ...probe('/livez'), periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3 },
        readinessProbe: {
          ...probe('/readyz'),
          periodSeconds: READINESS_PERIOD_S,
          timeoutSeconds: 3,
          failureThreshold: 2,
        },
        resources: { requests: { cpu: '100m', memory: '192Mi' }, limits: { memory } },
        securityContext: CONTAINER_SECURITY,
        volumeMounts: [
          { name: 'own', mountPath: `${SECRETS}/own`, readOnly: true },
          { name: 'ca', mountPath: `${SECRETS}/ca`, readOnly: true },
          { name: 'tmp', mountPath: '/tmp' },
        ],
      },
    ],
    volumes: [
      { name: 'own', secret: { secretName: `cord-${name}`, defaultMode: 0o440 } },
      { name: 'ca', secret: { secretName: 'cord-ca', defaultMode: 0o440 } },
      { name: 'tmp', emptyDir: { sizeLimit: '64Mi' } },
    ],
  };
}
