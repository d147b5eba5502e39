/** What of autocannon is used here. */
declare module 'autocannon' {
  type Request = { body?: string; headers?: Readonly<Record<string, string>> }
  /** `context` is an object of each request's own. */
  type Requests = {
    setupRequest: (request: Request, context: Record<string, string>) => Request
    onResponse?: (status: number, body: string, context: Record<string, string>) => void
  }
  type Options = {
    url: string
    method?: 'GET' | 'POST'
    headers?: Readonly<Record<string, string>>
    connections: number
    /** Seconds. */
    duration: number
    requests?: readonly Requests[]
  }
  type Result = {
    requests: { total: number }
    /** Milliseconds. */
    latency: { p99: number }
    errors: number
    timeouts: number
    non2xx: number
    /** Seconds it took in fact. */
    duration: number
  }
  function autocannon(options: Options): Promise<Result>
  namespace autocannon {
    export type { Request, Requests }
  }
  export = autocannon
}
