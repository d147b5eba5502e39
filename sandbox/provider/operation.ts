import type { Sandbox } from './sandbox.ts'

/** One operation: `params` are read by its schema, `id` is the one in the path, if any. */
export type Operation = (sandbox: Sandbox, params: unknown, id: string) => object
/** By route: `POST /v1/customers/{customer}`. */
export type Operations = Record<string, Operation>

/**
 * Types an operation by the SDK's own parameters. Its schema was derived from that type, and the
 * parameters were read by that schema, so the types agree.
 */
export function operation<P>(run: (sandbox: Sandbox, params: P, id: string) => object): Operation {
  return (sandbox, params, id) => run(sandbox, params as P, id)
}
