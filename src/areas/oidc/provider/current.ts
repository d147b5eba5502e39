import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'
import { type Db, type Tx, transact } from '#platform/database/index.ts'

type Current = { request: FastifyRequest; last: Promise<unknown> }

const current = new AsyncLocalStorage<Current>()

/** Runs the library's work for a request, so that its writes belong to that request. */
export function during<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  return current.run({ request, last: Promise.resolve() }, work)
}

/**
 * Runs a write of the library in a transaction. For a request that changes something, that is the
 * request's own transaction, with its entry in the audit log. The writes run one after the other: the library
 * starts several at once.
 */
export function write<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const store = current.getStore()
  // Anybody may begin a sign-in by opening a URL: that change needs no entry in the audit log.
  if (store?.request.method !== 'POST') return transact(db, work)
  const next = store.last.then(() => store.request.transact(work))
  store.last = next.catch(() => {})
  return next
}

/** Sets the person the current request is about, for its entry in the audit log. */
export function proveIn(userId: string): void {
  const store = current.getStore()
  if (store) store.request.scope.provenId = userId
}
