import type { FastifyRequest } from 'fastify'
import { LOCALES } from '#lib/languages.ts'
import { unavailable } from '#lib/problem.ts'
import { readCookie } from '#platform/pages/cookies.ts'
import { localeOf } from '#platform/pages/locale.ts'
import { EMPTY } from './selection.ts'
import { textsOf } from './texts/index.ts'
import type { Visit } from './visit.ts'

/**
 * The visit of a request while its shop cannot be read: in the language of the browser, with the host name in place of
 * the shop's name, without its brand and without anyone's session. Its calls throw 503.
 */
export function awayVisit(request: FastifyRequest): Visit {
  const locale = localeOf({
    asked: readCookie(request, 'locale'),
    ...{ header: request.headers['accept-language'], fallback: 'en', spoken: LOCALES },
  })
  return {
    look: {
      ...{ shop: request.hostname, color: undefined, locale },
      ...{ logoUrl: null, darkLogoUrl: null, faviconUrl: null },
    },
    texts: textsOf(locale),
    ...{ session: null, selection: EMPTY, cartUnits: null, selectionKey: '' },
    path: request.url.split('?')[0] ?? '/',
    ...{ origin: '', country: null, pricing: { country: '', taxed: false }, currency: '' },
    ...{ legalVersions: new Map(), legalFooter: null, supportAddress: null, contactAddress: null },
    ...{
      links: [],
      testMode: false,
      hasHelp: false,
      hasStatus: false,
      referral: null,
      now: request.scope.now,
    },
    call: () => Promise.reject(unavailable('The shop cannot be read. Try again shortly.')),
  }
}
