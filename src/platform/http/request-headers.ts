import { badRequest, Problem } from '#lib/problem.ts'
import type { App } from './index.ts'

/**
 * Refuses a request of HTTP/1.1 without `Host`, or with an `Expect` that cannot be met. Node's server would do
 * so itself, but without a body and without the headers that every response has.
 */
export function refuseBadHeaders(app: App): void {
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const { httpVersion, headers } = raw
    if (httpVersion !== '1.1') return done()
    if (headers.host === undefined) throw badRequest('The Host header is required.')
    if (headers.expect !== undefined && !CONTINUE.test(headers.expect)) {
      throw new Problem(417, 'The only expectation that can be met is 100-continue.')
    }
    done()
  })
}

/** The expectation that Node itself meets, matched as Node does. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i
