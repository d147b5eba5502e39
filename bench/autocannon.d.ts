/** What of autocannon is used here. */
declare module 'autocannon' {
  type Options = {
    url: string
    headers: Readonly<Record<string, string>>
    connections: number
    /** Seconds. */
    duration: number
  }
  type Result = {
    requests: { total: number }
    errors: number
    timeouts: number
    non2xx: number
    /** Seconds it took in fact. */
    duration: number
  }
  function autocannon(options: Options): Promise<Result>
  export = autocannon
}
