import type { FastifyReply, FastifyRequest } from 'fastify'
import { LOCALES } from '#lib/languages.ts'
import type { Deps } from '#platform/deps.ts'
import type { App } from '#platform/http/index.ts'
import { type Encoding, encodingFor } from '#platform/pages/compression.ts'
import { readCookie } from '#platform/pages/cookies.ts'
import type { PageDocument } from '#platform/pages/document.ts'
import { preferredOf } from '#platform/pages/locale.ts'
import { missingPage } from './catalogue/missing.ts'
import { countryIn, encoded, sendEncoded, type Visit, type Visits, visitsOf } from './visit.ts'

/**
 * A page; a redirect; or nothing at this address, with the slug of the game whose sizes are offered instead, if the
 * address contains one that exists.
 */
export type Answer =
  | { readonly page: PageDocument; readonly status?: 404 }
  | { readonly location: string; readonly permanent?: boolean }
  | { readonly missing: string | null }

type Render = (visit: Visit) => Promise<Answer>

export type SharedPages = {
  /** Responds with what `render` returns for a visit. */
  readonly page: (request: FastifyRequest, reply: FastifyReply, render: Render) => Promise<unknown>
  /** Responds 404 with a page that is the same for all addresses without a page. */
  readonly missing: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

type Rendering = {
  readonly answer: Promise<Answer>
  readonly beganMs: number
  /** The bytes of the page in the encodings that were asked for. */
  readonly bytes: Map<Encoding | null, Promise<Buffer>>
}

const MOST_KEPT = 200
const LARGEST_KEPT = 100_000

/**
 * Renders pages of the shop window. Visitors without a session, a cart and a query get a page that was rendered for
 * another one like them, if its rendering began less than `maxAgeMs` ago: whatever the page depends on may change
 * at any time and in any process, and the change is visible within that time. 0 renders each page again. A service
 * has one such cache: the page for missing addresses is in it once, whatever the address.
 */
export function sharedPages(app: App, deps: Deps): SharedPages {
  const pages = ofServer.get(app.server) ?? sharing(visitsOf(app, deps), deps.config.sharedPagesMs)
  ofServer.set(app.server, pages)
  return pages
}

/** By the HTTP server, so that a cache ends with its server: the dependencies can outlive the server. */
const ofServer = new WeakMap<App['server'], SharedPages>()

function sharing(visitOf: Visits, maxAgeMs: number): SharedPages {
  const kept = new Map<string, Rendering>()
  const isOver = ({ beganMs }: Rendering) => performance.now() - beganMs >= maxAgeMs

  function keep(key: string, rendering: Rendering): Rendering {
    kept.delete(key)
    // The oldest ones come first.
    for (const [oldest, other] of kept) {
      if (!isOver(other) && kept.size < MOST_KEPT) break
      kept.delete(oldest)
    }
    kept.set(key, rendering)
    const drop = () => {
      if (kept.get(key) === rendering) kept.delete(key)
    }
    rendering.answer.then((answer) => {
      if (!mayBeKept(answer)) drop()
    }, drop)
    return rendering
  }

  function renderingOf(
    request: FastifyRequest,
    reply: FastifyReply,
    { place, render }: { place: string; render: Render },
  ): Rendering {
    const begun = (): Rendering => ({
      beganMs: performance.now(),
      answer: visitOf(request, reply).then(render),
      bytes: new Map(),
    })
    const key = maxAgeMs > 0 ? keyOf(request, place) : null
    if (key === null) return begun()
    const known = kept.get(key)
    return known && !isOver(known) ? known : keep(key, begun())
  }

  async function missing(request: FastifyRequest, reply: FastifyReply, slug: string | null) {
    const render = async (visit: Visit): Promise<Answer> => ({
      page: await missingPage({ ...visit, path: '/' }, slug),
      status: 404,
    })
    const place = `404 ${slug ?? ''}`
    return send(request, reply, renderingOf(request, reply, { place, render }))
  }

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    { answer: rendered, bytes }: Rendering,
  ): Promise<FastifyReply> {
    const answer = await rendered
    if ('missing' in answer) return missing(request, reply, answer.missing)
    if ('location' in answer) {
      // A redirect that is permanent for search engines may still change: browsers must check again.
      if (answer.permanent) reply.header('cache-control', 'no-cache')
      return reply.redirect(answer.location, answer.permanent ? 301 : 303)
    }
    const { page, status = 200 } = answer
    const encoding = encodingFor(request.headers['accept-encoding'])
    const content = bytes.get(encoding) ?? encoded(page, encoding)
    bytes.set(encoding, content)
    return sendEncoded(reply.code(status), page.headers, { bytes: await content, encoding })
  }

  return {
    page: (request, reply, render) =>
      send(request, reply, renderingOf(request, reply, { place: request.url, render })),
    missing: (request, reply) => missing(request, reply, null),
  }
}

function mayBeKept(answer: Answer): boolean {
  return 'page' in answer && answer.page.html.length <= LARGEST_KEPT
}

/**
 * Everything of a request that its page depends on; null if the page may be for one person only, or if the
 * query may set a cookie.
 */
function keyOf(request: FastifyRequest, place: string): string | null {
  const { method, url, headers, tenantId } = request
  if (method !== 'GET' || /[?#]/.test(url) || headers.authorization !== undefined) return null
  if (readCookie(request, 'session') !== null) return null
  if (readCookie(request, 'selection') !== null) return null
  const language = preferredOf({
    ...{ asked: readCookie(request, 'locale'), header: headers['accept-language'] },
    spoken: LOCALES,
  })
  return JSON.stringify([tenantId, place, language, countryIn(readCookie(request, 'country'))])
}
