import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { sameBytes, tokenHash } from './secrets.ts'

/** The metrics for Prometheus. */
export type Metrics = {
  readonly registry: Registry
  readonly requestSeconds: Histogram<'method' | 'route' | 'status'>
  readonly jobSeconds: Histogram<'job' | 'outcome'>
  readonly outboundSeconds: Histogram<'method' | 'outcome'>
  readonly refusals: Counter<'reason'>
  /** Violations of our pages' content security policy that browsers have reported. */
  readonly policyViolations: Counter<'directive'>
  /** What this process has committed. */
  readonly events: Counter<'event'>
  readonly moneyCents: Counter<'kind' | 'currency'>
  readonly rateLimitStoreUp: Gauge
  readonly filesUp: Gauge
  readonly openStreams: Gauge
}

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The metrics of one service, and those of its process. */
export function startMetrics(): Metrics {
  const registry = Registry.merge([metricsOfProcess()])
  const registers = [registry]
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the first byte of a request to its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers,
    }),
    jobSeconds: new Histogram({
      name: 'moorage_job_duration_seconds',
      help: 'Time one try of a job took',
      labelNames: ['job', 'outcome'],
      buckets: SECONDS,
      registers,
    }),
    outboundSeconds: new Histogram({
      name: 'moorage_outbound_duration_seconds',
      help: 'Time a call to a panel, a webhook or another outsider took; outcome is the class of its status',
      labelNames: ['method', 'outcome'],
      buckets: SECONDS,
      registers,
    }),
    refusals: new Counter({
      name: 'moorage_refused_total',
      help: 'What was turned away before it reached a handler',
      labelNames: ['reason'],
      registers,
    }),
    policyViolations: new Counter({
      name: 'moorage_policy_violations_total',
      help: 'Violations of the content policy of our pages, as browsers reported them',
      labelNames: ['directive'],
      registers,
    }),
    events: new Counter({
      name: 'moorage_events_total',
      help: 'What happened, as this process committed it',
      labelNames: ['event'],
      registers,
    }),
    moneyCents: new Counter({
      name: 'moorage_money_cents_total',
      help: 'Cents that were booked, by what moved them, as this process committed it',
      labelNames: ['kind', 'currency'],
      registers,
    }),
    rateLimitStoreUp: new Gauge({
      name: 'moorage_rate_limit_store_up',
      help: 'Whether the shared rate limit counters can be reached',
      registers,
    }),
    filesUp: new Gauge({
      name: 'moorage_files_up',
      help: 'Whether files can be kept, as far as this process knows',
      registers,
    }),
    openStreams: new Gauge({
      name: 'moorage_open_streams',
      help: 'People who are told of their notifications as they come',
      registers,
    }),
  }
}

let ofProcess: Registry | null = null

/**
 * Node's own metrics. They observe the garbage collector and the event loop from then on and cannot
 * be stopped, so a process that starts a service several times has them once.
 */
function metricsOfProcess(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}

/** Whether a header contains the token for the metrics. */
export function mayReadMetrics(token: string, authorization: string | undefined): boolean {
  const given = authorization?.replace(/^Bearer +/i, '') ?? ''
  return sameBytes(tokenHash(given), tokenHash(token))
}
