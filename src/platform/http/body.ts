import type { IncomingMessage } from 'node:http'
import { badRequest, Problem } from '#lib/problem.ts'
import type { App } from './index.ts'

/** How long a body may take to arrive. */
const BODY_MS = 30_000

/** Far more fields, or lists and objects, than any body of ours has; this many are still read quickly. */
const MAX_FIELDS = 10_000

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads JSON bodies. An empty body counts as `{}`. Text that PostgreSQL could not store unchanged (NUL, half of a
 * surrogate pair) is refused here, so that no handler has to check it. A duplicate field is refused too: two
 * readers of the same text could use different values.
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
      const fields = fieldsNamedIn(text)
      if (fields > MAX_FIELDS || openingsIn(text) > MAX_FIELDS) {
        return done(badRequest('The body has too many fields.'))
      }
      parse(request, text, (error, value) => {
        if (error) return done(badRequest('The body is not valid JSON.'))
        if (text.includes('\\u') && !isStorable(value)) {
          return done(badRequest('The body holds text that cannot be stored.'))
        }
        if (fields !== fieldsOf(value)) {
          return done(badRequest('The body names a field twice.'))
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
  // A body may be refused before it has arrived: the rest is read and dropped for a limited time, so that a client
  // that is still sending receives the response.
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if (!raw.complete && !raw.destroyed) whenLate(raw, bodyMs, () => raw.destroy())
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined && takesBody(request.method)) request.body = {}
    if (!isStorable(request.query)) throw badRequest('The query holds text that cannot be used.')
    if (!isStorable(request.params)) throw new Problem(404, 'Not found.')
    done()
  })
}

/** Calls `act` if a body has not arrived completely in time. */
function whenLate(raw: IncomingMessage, afterMs: number, act: () => void): void {
  const timer = setTimeout(act, afterMs).unref()
  const inTime = () => clearTimeout(timer)
  raw.once('end', inTime).once('close', inTime)
}

/** Refuses a body that takes too long with a 408, which its reader receives as an error. */
function endLate(raw: IncomingMessage, afterMs: number): void {
  whenLate(raw, afterMs, () => {
    if (raw.listenerCount('error') > 0) raw.emit('error', tooSlow())
    else raw.destroy()
  })
}

/** 408: the body stopped arriving, or arrives too slowly. The connection is closed. */
export function tooSlow(): Problem {
  const headers = { connection: 'close' }
  return new Problem(408, 'The request took too long to arrive.', { headers })
}

function takesBody(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH' || method === 'DELETE'
}

/** How many fields a JSON text has: the strings that a colon follows. Accepts any text. */
function fieldsNamedIn(text: string): number {
  let count = 0
  let start = text.indexOf('"')
  while (start !== -1) {
    let end = text.indexOf('"', start + 1)
    while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
    if (end === -1) break
    let next = end + 1
    while (BLANK.has(text.charCodeAt(next))) next += 1
    if (text[next] === ':') count += 1
    start = text.indexOf('"', next)
  }
  return count
}

/** An upper bound for the lists and objects in a JSON text: brackets in its strings count too. Stops at too many. */
function openingsIn(text: string): number {
  let count = 0
  for (const bracket of ['[', '{']) {
    let at = text.indexOf(bracket)
    while (at !== -1 && count <= MAX_FIELDS) {
      count += 1
      at = text.indexOf(bracket, at + 1)
    }
  }
  return count
}

const BLANK = new Set([...' \t\r\n'].map((it) => it.charCodeAt(0)))

function isEscaped(text: string, quote: number): boolean {
  let at = quote - 1
  while (text[at] === '\\') at -= 1
  return (quote - at) % 2 === 0
}

/** How many fields the objects in a value have. */
function fieldsOf(value: unknown): number {
  let count = 0
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    const inner = Object.values(next)
    if (!Array.isArray(next)) count += inner.length
    for (const it of inner) if (typeof it === 'object') waiting.push(it)
  }
  return count
}

/** Whether all text in a value can be stored unchanged. */
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
