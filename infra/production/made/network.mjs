import { MANIFESTS } from '@cord/contracts/manifests/index';
import { SERVICES } from '../../dev/starter/services.mjs';
import { GATEWAY_PORTS, labelsOf, SERVICE_OPS_PORT, SERVICE_PORT } from './names.mjs';
import { NATS_PORT, NATS_ROUTES_PORT } from './nats.mjs';

const STORE_PORT = 27_017;
const HTTPS_PORT = 443;
/** Where a collector takes traces (OTLP over HTTP, the one way in which they go). */
const TRACES_PORT = 4318;
/** Private ranges: what is outside the house is none of these. */
const INSIDE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16'];

const pods = (name) => ({ podSelector: { matchLabels: labelsOf(name) } });
const namespace = (name) => ({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } });
const tcp = (...ports) => ports.map((port) => ({ protocol: 'TCP', port }));

const DNS = {
  to: [{ ...namespace('kube-system'), podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }],
  ports: [{ protocol: 'UDP', port: 53 }, ...tcp(53)],
};
const TO_NATS = { to: [pods('nats')], ports: tcp(NATS_PORT) };
const STORE_PODS = { podSelector: { matchLabels: { 'app.kubernetes.io/name': 'mongodb' } } };
/** Beside the services, or in a namespace of its own: a pod of any other that calls itself so is not the store. */
const TO_STORE = { to: [STORE_PODS, { ...namespace('mongodb'), ...STORE_PODS }], ports: tcp(STORE_PORT) };
const TO_OUTSIDE = { to: [{ ipBlock: { cidr: '0.0.0.0/0', except: INSIDE } }], ports: tcp(HTTPS_PORT) };
const TO_TRACES = { to: [namespace('monitoring')], ports: tcp(TRACES_PORT) };

/** What a service has to do with NATS is in its manifest: all but who says, asks, answers and hears nothing. */
function usesNats({ streams, consumes, readsWhole, asks, answers, tells, hears = [] }) {
  return [Object.keys(streams), consumes, readsWhole, asks, answers, tells, hears].some((list) => list.length > 0);
}

/** All that connect to NATS. */
const natsClients = () => [...SERVICES.filter((name) => usesNats(MANIFESTS[name])), 'gateway', 'topology'];

/**
 * Whom a service reaches, and who reaches it, from its manifest. Services ask each other through NATS alone, where nats.conf says which subjects; one
 * calls outside the house only where its manifest says so.
 * @param {string} name
 */
export function servicePolicy(name) {
  const outside = (MANIFESTS[name].outside ?? []).length > 0;
  return policy(name, {
    ingress: [
      { from: [pods('gateway')], ports: tcp(SERVICE_PORT, SERVICE_OPS_PORT) },
      { from: [namespace('monitoring')], ports: tcp(SERVICE_OPS_PORT) },
    ],
    egress: [...(usesNats(MANIFESTS[name]) ? [TO_NATS] : []), TO_STORE, ...(outside ? [TO_OUTSIDE] : []), TO_TRACES],
  });
}

/** Who else may reach whom: nobody but who is named. @returns {object[]} NetworkPolicies */
export function commonPolicies() {
  return [
    {
      ...head('default-deny'),
      spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'], ingress: [], egress: [DNS] },
    },
    policy('gateway', {
      ingress: [
        { from: [namespace('ingress-nginx')], ports: tcp(GATEWAY_PORTS.http) },
        { from: [namespace('monitoring')], ports: tcp(GATEWAY_PORTS.inside) },
      ],
      egress: [{ to: SERVICES.map(pods), ports: tcp(SERVICE_PORT, SERVICE_OPS_PORT) }, TO_NATS, TO_TRACES],
    }),
    policy('nats', {
      ingress: [
        { from: natsClients().map(pods), ports: tcp(NATS_PORT) },
        { from: [pods('nats')], ports: tcp(NATS_ROUTES_PORT) },
      ],
      egress: [{ to: [pods('nats')], ports: tcp(NATS_ROUTES_PORT) }],
    }),
    policy('migrate', { ingress: [], egress: [TO_STORE] }),
    policy('topology', { ingress: [], egress: [TO_NATS] }),
    policy('audit', { ingress: [], egress: [TO_STORE] }),
    policy('keys', { ingress: [], egress: [TO_STORE] }),
  ];
}

function policy(name, rules) {
  return {
    ...head(name),
    spec: { podSelector: { matchLabels: labelsOf(name) }, policyTypes: ['Ingress', 'Egress'], ...rules },
  };
}

function head(name) {
  return { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name } };
}
