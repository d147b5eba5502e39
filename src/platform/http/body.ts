import type { IncomingMessage } from 'node:http'
import { badRequest, Problem } from '#lib/problem.ts'
import type { App } from './index.ts'

/** How long a body may take to arrive. */
const BODY_MS = 30_000

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads JSON bodies. An empty body counts as `{}`; text that PostgreSQL could not keep as it is
 * (NUL, half of a surrogate pair) is refused here, so that no handler has to think of it.
 */
export function readJsonBodies(app: App, bodyMs = BODY_MS): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request, bytes: Buffer, done) => {
      let text: string
      try {
        text = decoder.decode(bytes)
      } catch {
        return done(badRequest('The body is not valid UTF-8.'))
      }
      if (text.trim() === '') return done(null, {})
      parse(request, text, (error, value) => {
        if (error) return done(badRequest('The body is not valid JSON.'))
        if (text.includes('\\u') && !isStorable(value)) {
          return done(badRequest('The body holds text that cannot be stored.'))
        }
        done(null, value)
      })
    },
  )
  app.addContentTypeParser('*', (_request, payload, done) => {
    let size = 0
    payload.on('data', (chunk: Buffer) => {
      size += chunk.length
    })
    payload.on('end', () =>
      size === 0 ? done(null, {}) : done(new Problem(415, 'Send JSON: application/json.')),
    )
    payload.on('error', done)
  })
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    const encoding = headers['content-encoding']
    if (encoding && encoding !== 'identity') {
      throw new Problem(415, 'Compressed bodies are not accepted.')
    }
    done()
  })
  app.addHook('onRequest', (request, _reply, done) => {
    if (takesBody(request.method) && !request.routeOptions.config.longBody) {
      endLate(request.raw, bodyMs)
    }
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined && takesBody(request.method)) request.body = {}
    if (!isStorable(request.query)) throw badRequest('The query holds text that cannot be used.')
    if (!isStorable(request.params)) throw new Problem(404, 'Not found.')
    done()
  })
}

/** Refuses a body that takes too long with a 408: whoever reads it is told. Nobody reads on after an answer. */
function endLate(raw: IncomingMessage, afterMs: number): void {
  const timer = setTimeout(() => {
    if (raw.listenerCount('error') > 0) raw.emit('error', tooSlow())
    else raw.destroy()
  }, afterMs).unref()
  const inTime = () => clearTimeout(timer)
  raw.once('end', inTime).once('close', inTime)
}

/** 408: the body stopped coming, or comes too slowly. The connection is closed. */
export function tooSlow(): Problem {
  const headers = { connection: 'close' }
  return new Problem(408, 'The request took too long to arrive.', { headers })
}

function takesBody(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH' || method === 'DELETE'
}

/** Whether all text in a value can be kept exactly. */
export function isStorable(value: unknown): boolean {
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'string') {
      if (next.includes('\0') || !next.isWellFormed()) return false
    } else if (typeof next === 'object' && next !== null) {
      for (const [key, inner] of Object.entries(next)) waiting.push(key, inner)
    }
  }
  return true
}
