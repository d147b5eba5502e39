import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Encoding, encodingFor } from '#platform/pages/compression.ts'
import { readCookie } from '#platform/pages/cookies.ts'
import type { PageDocument } from '#platform/pages/document.ts'
import { preferredOf } from '#platform/pages/locale.ts'
import { LANGUAGES } from './texts/index.ts'
import { countryIn, encoded, sendEncoded, type Visit, type Visits } from './visit.ts'

/** A page with its status, 200 unless it says otherwise; or where to go instead. */
export type Answer =
  | { readonly page: PageDocument; readonly status?: number }
  | { readonly location: string }

/** Answers with what `render` makes of a visit. */
export type Shared = (
  request: FastifyRequest,
  reply: FastifyReply,
  render: (visit: Visit) => Promise<Answer>,
) => Promise<unknown>

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
 * at any time and in any process, and counts from then on within that time. 0 renders each page anew.
 */
export function sharedPages(visitOf: Visits, maxAgeMs: number): Shared {
  const kept = new Map<string, Rendering>()
  const isOver = ({ beganMs }: Rendering) => performance.now() - beganMs >= maxAgeMs

  function keep(key: string, rendering: Rendering): Rendering {
    kept.delete(key)
    // The oldest ones stand first.
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

  return async (request, reply, render) => {
    const begun = (): Rendering => ({
      beganMs: performance.now(),
      answer: visitOf(request, reply).then(render),
      bytes: new Map(),
    })
    const key = maxAgeMs > 0 ? keyOf(request) : null
    if (key === null) return send(request, reply, begun())
    const known = kept.get(key)
    return send(request, reply, known && !isOver(known) ? known : keep(key, begun()))
  }
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { answer: rendered, bytes }: Rendering,
): Promise<FastifyReply> {
  const answer = await rendered
  if ('location' in answer) return reply.redirect(answer.location, 303)
  const { page, status = 200 } = answer
  const encoding = encodingFor(request.headers['accept-encoding'])
  const content = bytes.get(encoding) ?? encoded(page, encoding)
  bytes.set(encoding, content)
  return sendEncoded(reply.code(status), page.headers, { bytes: await content, encoding })
}

function mayBeKept(answer: Answer): boolean {
  return 'page' in answer && answer.status === undefined && answer.page.html.length <= LARGEST_KEPT
}

/**
 * Everything of a request that its page depends on; null where the page may be for one person only, or where the
 * query may set a cookie.
 */
function keyOf(request: FastifyRequest): string | null {
  const { method, url, headers, tenantId } = request
  if (method !== 'GET' || /[?#]/.test(url) || headers.authorization !== undefined) return null
  if (readCookie(request, 'session') !== null) return null
  if (readCookie(request, 'selection') !== null) return null
  const language = preferredOf({
    ...{ asked: readCookie(request, 'locale'), header: headers['accept-language'] },
    spoken: LANGUAGES,
  })
  return JSON.stringify([tenantId, url, language, countryIn(readCookie(request, 'country'))])
}
