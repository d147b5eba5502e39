/** A running sandbox, in this process or in another: its address and the token of its controls. */
export type SandboxAt = { readonly url: string; readonly controlToken: string }

type Body = Record<string, unknown>

/** What tests do to a sandbox. Paths are relative to `/_sandbox/`; throws unless the answer is 200. */
export type Controls = {
  get<T = Body>(path: string): Promise<T>
  post<T = Body>(path: string, body?: object): Promise<T>
  /** Makes the next `n` (1) calls of a route go wrong. */
  fault(route: string, kind: string, more?: { n?: number; ms?: number }): Promise<void>
  /** How many calls the faults that were asked for still wait for. */
  faultsLeft(): Promise<number>
  /** Whatever was asked for is the past: nothing goes wrong any more. */
  clearFaults(): Promise<void>
}

/** The controls of a sandbox. */
export function controlsOf({ url, controlToken }: SandboxAt): Controls {
  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${url}/_sandbox/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${controlToken}`,
        // A kept connection may be closed there just when it is used again.
        connection: 'close',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} /_sandbox/${path}: ${response.status} ${text}`)
    return JSON.parse(text) as T
  }
  return {
    get: (path) => call('GET', path),
    post: (path, body = {}) => call('POST', path, body),
    async fault(route, kind, more = {}) {
      await call('POST', 'faults', { route, kind, ...more })
    },
    async faultsLeft() {
      const { faults } = await call<{ faults: { left: number }[] }>('GET', 'faults')
      return faults.reduce((sum, { left }) => sum + left, 0)
    },
    async clearFaults() {
      await call('DELETE', 'faults')
    },
  }
}
