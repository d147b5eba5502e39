/** What of autocannon is used here. */
declare module 'autocannon' {
  type Request = { body?: string; headers?: Readonly<Record<string, string>> }
  type Options = {
    url: string
    method?: 'GET' | 'POST'
    headers?: Readonly<Record<string, string>>
    connections: number
    /** Seconds. */
    duration: number
    requests?: readonly { setupRequest: (request: Request) => Request }[]
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
    export type { Request }
  }
  export = autocannon
}
