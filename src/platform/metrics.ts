import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What Prometheus reads. */
export type Metrics = {
  readonly registry: Registry
  readonly requestSeconds: Histogram<'method' | 'route' | 'status'>
  readonly jobSeconds: Histogram<'job' | 'outcome'>
  readonly refusals: Counter<'reason'>
  readonly rateLimitStoreUp: Gauge
}

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The instruments of one process. */
export function startMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
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
    refusals: new Counter({
      name: 'moorage_refused_total',
      help: 'What was turned away before it reached a handler',
      labelNames: ['reason'],
      registers,
    }),
    rateLimitStoreUp: new Gauge({
      name: 'moorage_rate_limit_store_up',
      help: 'Whether the shared rate limit counters can be reached',
      registers,
    }),
  }
}
