import type { Routes } from '#platform/http/index.ts'
import { LEGAL_KINDS } from '#tenants'
import { guarded } from '../guarded.ts'
import { Refusal, sendPage, type Visit, visitsOf } from '../visit.ts'
import { type Imprint, type LegalText, legalPage } from './page.ts'

/** Legal pages, also available while the shop is closed. */
export const legalPages: Routes = (app, deps) => {
  const visitOf = visitsOf(app, deps)
  const page = guarded(app, deps, { access: 'public', hidden: true, whileSuspended: true })

  for (const kind of LEGAL_KINDS) {
    page('GET', `/${kind}`, async (request, reply) => {
      const { version } = request.query as Record<string, unknown>
      const visit = await visitOf(request, reply)
      const asked = typeof version === 'string' ? `&version=${encodeURIComponent(version)}` : ''
      const path = `/v1/legal-texts/${kind}?locale=${visit.look.locale}${asked}`
      const [text, meta] = await Promise.all([
        textAt(visit, path),
        visit.call<{ seller: Imprint | null }>('GET', '/v1/meta'),
      ])
      // The legal notice and the withdrawal page exist even without a text of the shop.
      const isKnown = asked === '' && (kind === 'legal' || kind === 'withdraw')
      if (!text && !isKnown) throw new Refusal(404, null)
      return sendPage(request, reply, legalPage(visit, { kind, text, seller: meta.seller }))
    })
  }
}

async function textAt(visit: Visit, path: string): Promise<LegalText | null> {
  try {
    return await visit.call<LegalText>('GET', path)
  } catch (error) {
    if (error instanceof Refusal && (error.status === 404 || error.status === 400)) return null
    throw error
  }
}
